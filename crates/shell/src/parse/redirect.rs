//! Redirections: which tokens they are, what they do, and what they are given to.

use super::Parser;
use super::draft::{Draft, Redir};
use super::frame::{Block, Copies, Frame, Role};
use super::source::{begins_name, in_name};
use super::{REDIRECT_WORDS, simple};
use crate::{Place, RedirectKind, Word};

impl<'t> Parser<'t> {
    /// Whether a redirection comes next, its descriptor included.
    pub fn at_redirect(&self) -> bool {
        match self.src.peek() {
            Some(b'<' | b'>') => self.src.second() != Some(b'('),
            Some(b'&') => self.src.second() == Some(b'>'),
            Some(b'0'..=b'9' | b'{') => {
                let at = self.behind_descriptor();
                let operator = matches!(self.src.raw(at), Some(b'<' | b'>'));
                at != self.src.pos && operator && self.src.raw(self.src.after(at)) != Some(b'(')
            }
            _ => false,
        }
    }

    /// The place behind the number or the `{name}` that comes next.
    fn behind_descriptor(&self) -> usize {
        let mut at = self.src.pos;
        if self.src.is(b'{') {
            at = self.src.after(at);
            if !self.src.raw(at).is_some_and(begins_name) {
                return self.src.pos;
            }
            while self.src.raw(at).is_some_and(in_name) {
                at = self.src.after(at);
            }
            let closed = self.src.raw(at) == Some(b'}');
            return if closed { self.src.after(at) } else { self.src.pos };
        }
        while self.src.raw(at).is_some_and(|it| it.is_ascii_digit()) {
            at = self.src.after(at);
        }
        at
    }

    /// Reads a redirection of the frame on top.
    pub fn redirect(&mut self, place: Place) {
        let behind = self.behind_descriptor();
        let numbered = behind != self.src.pos;
        self.src.go(behind);
        let (what, copies) = self.operator();
        if what == RedirectKind::Heredoc {
            return self.here_document(place);
        }
        self.src.skip_blanks();
        let opens = matches!(self.src.peek(), Some(b'<' | b'>')) && self.src.second() == Some(b'(');
        if simple::ends_word(self.src.peek()) && !opens {
            return self.wrong("a file behind the redirection");
        }
        let copies = match (copies, numbered) {
            (false, _) => Copies::No,
            (true, false) => Copies::Bare,
            (true, true) => Copies::Numbered,
        };
        self.open_word(Role::Target(what, copies), place);
    }

    /// What the operator does, and whether it copies a descriptor where its target is one.
    fn operator(&mut self) -> (RedirectKind, bool) {
        if self.src.eat(b'&') {
            self.src.bump();
            let append = self.src.eat(b'>');
            return (if append { RedirectKind::Append } else { RedirectKind::Write }, false);
        }
        if self.src.eat(b'>') {
            return self.output_operator();
        }
        self.src.bump();
        if self.src.eat(b'<') {
            let string = self.src.eat(b'<');
            return (if string { RedirectKind::HereString } else { RedirectKind::Heredoc }, false);
        }
        let what = if self.src.eat(b'&') {
            RedirectKind::Duplicate
        } else if self.src.eat(b'>') {
            RedirectKind::ReadWrite
        } else {
            RedirectKind::Read
        };
        (what, false)
    }

    fn output_operator(&mut self) -> (RedirectKind, bool) {
        if self.src.eat(b'>') {
            return (RedirectKind::Append, false);
        }
        if self.src.eat(b'&') {
            return (RedirectKind::Write, true);
        }
        self.src.eat(b'|');
        (RedirectKind::Write, false)
    }

    /// Takes the target of a redirection.
    pub fn target(&mut self, what: RedirectKind, copies: Copies, target: Word) {
        let copied = copies != Copies::No && is_descriptor(&target, copies);
        let what = if copied { RedirectKind::Duplicate } else { what };
        self.add_redirect(Redir { what, target, body: None });
    }

    /// Gives a redirection to the frame on top.
    pub fn add_redirect(&mut self, redirect: Redir) {
        let end = self.src.outer(self.src.pos);
        self.count(REDIRECT_WORDS);
        match self.stack.last_mut() {
            Some(Frame::Simple(simple)) => {
                simple.end = end;
                simple.draft.redirects.push(redirect);
            }
            Some(Frame::Block(block)) => block.redirects.push(redirect),
            _ => {}
        }
    }

    /// Gives the redirections behind a compound command to each command in it.
    pub fn give_redirects(&mut self, block: &mut Block<'t>) {
        let redirects = std::mem::take(&mut block.redirects);
        let (from, to) = block.compound;
        let Some(first) = redirects.first() else { return };
        let wanted = to.saturating_sub(from);
        let mut given = false;
        for draft in self.drafts.iter_mut().take(to).skip(from) {
            if self.copies < redirects.len() {
                break;
            }
            self.copies = self.copies.saturating_sub(redirects.len());
            draft.redirects.extend(redirects.iter().cloned());
            given = true;
        }
        if !given || wanted == 0 || self.copies == 0 {
            let source = first.target.source.clone();
            let place = block.next_place();
            self.keep(Draft { redirects, place, source, ..Draft::default() });
        }
    }
}

/// Whether what stands behind `>&` is a descriptor and no file.
fn is_descriptor(target: &Word, copies: Copies) -> bool {
    let Some(text) = target.literal() else { return copies == Copies::Numbered };
    let digits = text.strip_suffix('-').unwrap_or(&text);
    !text.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
}
