//! Where a rulebook's code can be changed in a small way, such as a misreading or a slip would change it.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprMethodCall, Lit, ReturnType, Signature, Stmt, Token, Type, UnOp};

/// What takes the place of what.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The kind of change, in a word.
    pub(crate) kind: &'static str,
    /// The function that it is in.
    pub(crate) function: String,
    /// The line, from 1.
    pub(crate) line: usize,
    /// What it says now.
    pub(crate) was: String,
    /// What stands there instead.
    pub(crate) becomes: String,
}

/// How a change is written into the copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    /// Another expression of the same type.
    Expression,
    /// A statement that is left out.
    Statement,
    /// A function that returns at once.
    Head,
}

/// A place in the code and the changes that can be made there.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) range: Range<usize>,
    pub(crate) form: Form,
    pub(crate) changes: Vec<Change>,
}

/// All places in a file, the outer ones before those inside them.
pub(crate) fn find(code: &str) -> Result<Vec<Site>, syn::Error> {
    let file = syn::parse_file(code)?;
    let mut finder = Finder { code, sites: BTreeMap::new(), function: Vec::new() };
    finder.visit_file(&file);
    let sites = finder.sites.into_iter().map(|((start, end, form), changes)| Site {
        range: start..usize::MAX - end,
        form,
        changes,
    });
    Ok(sites.collect())
}

/// What is found so far, by start and (from the end of numbers, so that outer places come first) by end.
type Sites = BTreeMap<(usize, usize, Form), Vec<Change>>;

struct Finder<'c> {
    code: &'c str,
    sites: Sites,
    function: Vec<String>,
}

impl Finder<'_> {
    fn add(&mut self, range: Range<usize>, form: Form, kind: &'static str, was: &str, becomes: &str) {
        let line = self.code[..range.start].matches('\n').count() + 1;
        let function = self.function.last().cloned().unwrap_or_default();
        if function.is_empty() {
            return;
        }
        let change = Change { kind, function, line, was: was.to_owned(), becomes: becomes.to_owned() };
        self.sites.entry((range.start, usize::MAX - range.end, form)).or_default().push(change);
    }

    /// An expression that takes the place of another.
    fn instead(&mut self, expr: &Expr, kind: &'static str, becomes: &str) {
        let range = expr.span().byte_range();
        let was = self.code[range.clone()].to_owned();
        self.add(range, Form::Expression, kind, &was, becomes);
    }

    fn text(&self, node: &impl Spanned) -> &str {
        &self.code[node.span().byte_range()]
    }

    /// The expression with the operator (or name) at `at` replaced.
    fn replaced(&self, expr: &Expr, at: Range<usize>, with: &str) -> String {
        let range = expr.span().byte_range();
        format!("{}{with}{}", &self.code[range.start..at.start], &self.code[at.end..range.end])
    }

    /// A condition that is forgotten: always true, and always false.
    fn forgotten(&mut self, condition: &Expr) {
        // What compares or combines is changed in its own way.
        let own = |expr: &Expr| {
            matches!(
                expr,
                Expr::Binary(_)
                    | Expr::Let(_)
                    | Expr::Unary(_)
                    | Expr::Paren(_)
                    | Expr::Block(_)
                    | Expr::Lit(_)
            )
        };
        if !own(condition) {
            self.instead(condition, "condition", "true");
            self.instead(condition, "condition", "false");
        }
    }

    fn binary(&mut self, expr: &Expr, op: &BinOp, left: &Expr, right: &Expr) {
        let at = op.span().byte_range();
        let other = match op {
            BinOp::Eq(_) => "!=",
            BinOp::Ne(_) => "==",
            BinOp::Lt(_) => "<=",
            BinOp::Le(_) => "<",
            BinOp::Gt(_) => ">=",
            BinOp::Ge(_) => ">",
            BinOp::And(_) => "||",
            BinOp::Or(_) => "&&",
            BinOp::Add(_) => "-",
            BinOp::Sub(_) | BinOp::Mul(_) => "+",
            BinOp::Div(_) => "*",
            BinOp::AddAssign(_) => "-=",
            BinOp::SubAssign(_) => "+=",
            BinOp::BitAnd(_) | BinOp::BitAndAssign(_) => "|",
            BinOp::BitOr(_) => "&",
            _ => return,
        };
        if has_let(left) || has_let(right) {
            return self.operands(op, left, right);
        }
        let kind = match op {
            BinOp::And(_) | BinOp::Or(_) => "and/or",
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                "comparison"
            }
            _ => "arithmetic",
        };
        let becomes = self.replaced(expr, at, other);
        self.instead(expr, kind, &becomes);
        self.operands(op, left, right);
    }

    /// One half of a condition is forgotten.
    fn operands(&mut self, op: &BinOp, left: &Expr, right: &Expr) {
        let forgotten = match op {
            BinOp::And(_) => "true",
            BinOp::Or(_) => "false",
            _ => return,
        };
        for operand in [left, right] {
            let nested = matches!(operand, Expr::Let(_))
                || matches!(operand, Expr::Binary(inner) if matches!(inner.op, BinOp::And(_) | BinOp::Or(_)));
            if !nested {
                self.instead(operand, "condition", forgotten);
            }
        }
    }

    fn method(&mut self, expr: &Expr, call: &ExprMethodCall) {
        let other = match call.method.to_string().as_str() {
            "min" => "max",
            "max" => "min",
            "any" => "all",
            "all" => "any",
            "is_some" => "is_none",
            "is_none" => "is_some",
            "is_ok" => "is_err",
            "is_err" => "is_ok",
            "is_some_and" => "is_none_or",
            "is_none_or" => "is_some_and",
            "is_empty" => {
                let negated = format!("!{}", self.text(expr));
                return self.instead(expr, "comparison", &negated);
            }
            "filter" | "find" | "position" | "retain" | "take_while" | "skip_while" => {
                if let Some(Expr::Closure(closure)) = call.args.first() {
                    self.forgotten(&closure.body);
                }
                return;
            }
            _ => return,
        };
        let becomes = self.replaced(expr, call.method.span().byte_range(), other);
        self.instead(expr, "method", &becomes);
        if let Some(Expr::Closure(closure)) = call.args.first() {
            self.forgotten(&closure.body);
        }
    }

    fn literal(&mut self, expr: &Expr, literal: &Lit) {
        match literal {
            Lit::Int(number) => {
                if let Ok(value) = number.base10_parse::<u64>() {
                    let more = format!("{}{}", value + 1, number.suffix());
                    self.instead(expr, "constant", &more);
                }
            }
            Lit::Bool(value) => self.instead(expr, "constant", if value.value { "false" } else { "true" }),
            _ => {}
        }
    }

    /// A side for the other, and one more than a named number.
    fn path(&mut self, expr: &Expr, path: &syn::Path) {
        let Some(last) = path.segments.last() else { return };
        let name = last.ident.to_string();
        let before = path.segments.iter().rev().nth(1).map(|segment| segment.ident.to_string());
        match (before.as_deref(), name.as_str()) {
            (Some("Side"), "Axis") => {
                self.instead(expr, "side", &self.text(expr).replace("Side::Axis", "Side::Soviet"));
            }
            (Some("Side"), "Soviet") => {
                self.instead(expr, "side", &self.text(expr).replace("Side::Soviet", "Side::Axis"));
            }
            (None, name) if name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c == '_') => {
                self.instead(expr, "constant", &format!("{name} + 1"));
            }
            _ => {}
        }
    }

    /// Arguments of a macro that holds expressions.
    fn arguments(&self, mac: &syn::Macro) -> Vec<Expr> {
        mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)
            .map(|list| list.into_iter().collect())
            .unwrap_or_default()
    }

    /// A function that comes to its end before it has begun.
    fn head(&mut self, signature: &Signature, block: &Block) {
        let at = block.brace_token.span.open().byte_range().end;
        let early: &[&str] = match &signature.output {
            ReturnType::Default => &["return;"],
            ReturnType::Type(_, returned) => match &**returned {
                Type::Path(path) => match self.text(&path.path) {
                    "bool" => &["return true;", "return false;"],
                    text if text.starts_with("Option<") => &["return None;"],
                    text if text.starts_with("Result<(),") => &["return Ok(());"],
                    _ => &[],
                },
                _ => &[],
            },
        };
        for early in early {
            self.add(at..at, Form::Head, "early return", &signature.ident.to_string(), early);
        }
    }

    fn function(&mut self, attrs: &[syn::Attribute], signature: &Signature, block: &Block) {
        if signature.constness.is_some() || is_test(attrs) {
            return;
        }
        self.function.push(signature.ident.to_string());
        self.head(signature, block);
        self.visit_block(block);
        self.function.pop();
    }
}

/// `if let … && …` cannot be put in parentheses.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let is_cfg_test = || attr.parse_args::<syn::Ident>().is_ok_and(|word| word == "test");
        attr.path().is_ident("test") || (attr.path().is_ident("cfg") && is_cfg_test())
    })
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    // What is fixed when the program is built cannot be switched.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}
    fn visit_angle_bracketed_generic_arguments(&mut self, _: &'ast syn::AngleBracketedGenericArguments) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.forgotten(guard);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Expr(expr, Some(_)) = stmt {
            let effect = match expr {
                Expr::MethodCall(_) | Expr::Call(_) | Expr::Try(_) | Expr::Assign(_) => true,
                Expr::Binary(binary) => {
                    matches!(self.text(&binary.op), op if op.len() > 1 && op.ends_with('='))
                }
                _ => false,
            };
            if effect {
                let was = self.text(stmt).to_owned();
                self.add(stmt.span().byte_range(), Form::Statement, "left out", &was, "nothing");
            }
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let name = mac.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if name == "ensure" {
            // The case first, then the condition, then the sentence.
            if let Some(condition) = self.arguments(mac).get(1) {
                self.instead(condition, "condition", "true");
                self.visit_expr(condition);
            }
        } else if name == "vec" {
            for expr in self.arguments(mac) {
                self.visit_expr(&expr);
            }
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Binary(binary) => self.binary(expr, &binary.op, &binary.left, &binary.right),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                let plain = self.text(&*unary.expr).to_owned();
                self.instead(expr, "comparison", &plain);
            }
            Expr::Lit(literal) => self.literal(expr, &literal.lit),
            Expr::Path(path) => self.path(expr, &path.path),
            Expr::MethodCall(call) => self.method(expr, call),
            Expr::If(branch) => self.forgotten(&branch.cond),
            Expr::While(lasting) => self.forgotten(&lasting.cond),
            Expr::Macro(mac) if mac.mac.path.is_ident("matches") => {
                let negated = format!("!{}", self.text(expr));
                self.instead(expr, "comparison", &negated);
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(code: &str) -> Vec<(String, String)> {
        let sites = find(code).unwrap();
        sites.iter().flat_map(|site| &site.changes).map(|c| (c.was.clone(), c.becomes.clone())).collect()
    }

    fn has(code: &str, was: &str, becomes: &str) {
        let found = changes(code);
        assert!(found.contains(&(was.to_owned(), becomes.to_owned())), "{found:?}");
    }

    #[test]
    fn small_changes_of_many_kinds() {
        has("fn f(a: u8) -> u8 { if a < 3 { 1 } else { 2 } }", "a < 3", "a <= 3");
        has("fn f(a: u8) -> u8 { if a < 3 { 1 } else { 2 } }", "3", "4");
        has("fn f(a: bool, b: bool) -> bool { a && b }", "a && b", "a || b");
        has("fn f(a: bool, b: bool) -> bool { a && b }", "b", "true");
        has("fn f(a: bool) -> bool { !a }", "!a", "a");
        has("fn f(a: bool) -> bool { !a }", "f", "return false;");
        has("fn f(s: Side) -> bool { s == Side::Axis }", "Side::Axis", "Side::Soviet");
        has("fn f(x: &mut Vec<u8>) { x.clear(); }", "x.clear();", "nothing");
        has(r#"fn f(a: bool) -> Result<(), V> { ensure!("1.1", a, "no"); Ok(()) }"#, "a", "true");
        has(
            r#"fn f(a: u8) -> Result<(), V> { ensure!("1.1", a > LIMIT, "no"); Ok(()) }"#,
            "LIMIT",
            "LIMIT + 1",
        );
        has("fn f(a: &[u8]) -> usize { a.iter().filter(|x| good(x)).count() }", "good(x)", "true");
    }

    #[test]
    fn what_is_fixed_at_build_time_stays() {
        assert!(changes("const LIMIT: u8 = 2; static X: [u8; 3] = [1, 2, 3];").is_empty());
        assert!(changes("#[cfg(test)] mod tests { fn f() -> bool { 1 < 2 } }").is_empty());
        let found = changes("fn f(a: u8) -> u8 { match a { 3 => a, 4..=5 => a, _ => a } }");
        assert!(found.is_empty(), "{found:?}");
        let let_chain = changes("fn f(a: O) -> u8 { if let Some(b) = a && b.ok() { b } else { a } }");
        assert_eq!(let_chain, [("b.ok()".to_owned(), "true".to_owned())]);
    }
}
