//! The witness at a port of this machine (C2SP tlog-witness): `POST /add-checkpoint`.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use lawbook_diag::Problem;
use lawbook_ledger::tlog::WITNESS_REQUEST_BYTES_MAX;

use super::Door;
use crate::commands::rule::written;
use crate::exit::Exit;

/// Serves until the process is told to end.
///
/// # Errors
/// When the address is not one of this machine alone, or can't be had.
pub fn serve(address: SocketAddr, door: Door) -> Result<Exit, Problem> {
    if !address.ip().is_loopback() {
        let message = format!("`{address}` is an address that others can reach");
        return Err(Problem::new("--listen", "not_loopback", message)
            .help("listen on 127.0.0.1, and put a proxy with TLS in front"));
    }
    let unusable = |error: std::io::Error| {
        Problem::new("--listen", "unusable", format!("`{address}` can't be used: {error}"))
    };
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().map_err(unusable)?;
    runtime.block_on(listen(address, door)).map_err(unusable)?;
    Ok(Exit::Clean)
}

async fn listen(address: SocketAddr, door: Door) -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind(address).await?;
    let line = format!("listening on http://{}\n", listener.local_addr()?);
    if written(&line) != Exit::Clean {
        return Err(std::io::Error::other("standard output is closed"));
    }
    let router = Router::new()
        .route("/add-checkpoint", post(add_checkpoint))
        .layer(DefaultBodyLimit::max(WITNESS_REQUEST_BYTES_MAX))
        .with_state(Arc::new(Mutex::new(door)));
    axum::serve(listener, router).with_graceful_shutdown(ended()).await
}

/// One request at a time: checking and remembering are one step.
async fn add_checkpoint(State(door): State<Arc<Mutex<Door>>>, body: String) -> Response {
    let answer = door.lock().unwrap_or_else(PoisonError::into_inner).answer(&body);
    let status = StatusCode::from_u16(answer.status());
    let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let kind = [(header::CONTENT_TYPE, answer.content_type())];
    (status, kind, answer.body()).into_response()
}

async fn ended() {
    // Where the signal can't be had, the process ends by it all the same.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
