//! Who holds a seat: invitations that work once, seats renewed and given up.

use std::sync::Arc;

use engine::{BySide, Side};
use source::Faults;

use crate::convert::plain;
use crate::games::{Games, Handle, NoGame, random, wire_seat};
use crate::seats::Seat;
use crate::store::Kept;
use crate::wire::{self, Refusal};

impl Games {
    /// What somebody is invited to; nothing when the invitation was used or never given.
    pub(crate) async fn invitation(&self, secret: &str) -> Result<Option<wire::Invitation>, Faults> {
        let Some((game, seat)) = self.store.invitation(secret).await? else {
            return Ok(None);
        };
        let kept = self.store.kept(&game).await?;
        let told = |kept: Kept| wire::Invitation {
            sides: seat.wire_sides(),
            commitment: kept.commitment(),
            game: self.summary(&kept, Vec::new()),
        };
        Ok(kept.map(told))
    }

    /// Uses an invitation up: whoever accepts gets a seat whose secret nobody else knows.
    pub(crate) async fn accept(&self, invitation: &str) -> Result<Option<wire::Accepted>, Faults> {
        let secret = random()?;
        let accepted = self.store.accept(invitation, &secret).await?;
        let Some((id, seat)) = accepted else { return Ok(None) };
        self.note_free(&id, seat, false);
        Ok(Some(wire::Accepted { id, seat: wire_seat(&(secret, seat)) }))
    }

    /// Gives a player's seat a new secret. Whoever sat there by the old one is sent away.
    pub(crate) async fn renew(&self, handle: &Handle, seat: Seat) -> Result<wire::Seat, Refusal> {
        expect_player(seat)?;
        let secret = new_secret()?;
        self.store.renew(&handle.id, seat, &secret).await?;
        revoke(handle, seat);
        Ok(wire_seat(&(secret, seat)))
    }

    /// Gives a player's seat up. Between two people the other one may invite somebody else.
    pub(crate) async fn give_up(&self, handle: &Handle, seat: Seat) -> Result<(), Refusal> {
        expect_player(seat)?;
        self.store.vacate(&handle.id, seat).await?;
        self.note_free(&handle.id, seat, true);
        revoke(handle, seat);
        Ok(())
    }

    /// Invites somebody to the other side, when nobody holds it.
    pub(crate) async fn invite(
        &self,
        handle: &Handle,
        seat: Seat,
        side: Side,
    ) -> Result<wire::Seat, Refusal> {
        let for_two = handle.table().await.info().for_two;
        if !for_two || seat != Seat::of(side.enemy()) {
            return Err(plain("only the other player of a game for two can invite somebody"));
        }
        let secret = new_secret()?;
        let seat = Seat::of(side);
        match self.store.invite(&handle.id, seat, &secret).await? {
            true => Ok(wire_seat(&(secret, seat))),
            false => Err(plain("somebody holds this seat")),
        }
    }

    /// A seat for whoever runs the program: the person's, where one person plays; else he may look on.
    pub(crate) async fn host_seat(&self, game: &str) -> Result<Option<wire::Accepted>, Faults> {
        let Some(kept) = self.store.kept(game).await? else { return Ok(None) };
        let seat = match (kept.for_two, &kept.levels) {
            (false, [None, None]) => Seat::BOTH,
            (false, [None, Some(_)]) => Seat::of(Side::Axis),
            (false, [Some(_), None]) => Seat::of(Side::Soviet),
            _ => Seat::OBSERVER,
        };
        let secret = random()?;
        self.store.add_secret(game, seat, &secret).await?;
        Ok(Some(wire::Accepted { id: kept.id, seat: wire_seat(&(secret, seat)) }))
    }

    /// The sides of a game for two that nobody holds.
    pub(crate) async fn free_sides(&self, game: &str, for_two: bool) -> Result<BySide<bool>, NoGame> {
        let mut free = BySide::default();
        if for_two {
            for side in Side::BOTH {
                let held = self.store.is_held(game, Seat::of(side)).await;
                free[side] = !held.map_err(|error| NoGame::Trouble(error.to_string()))?;
            }
        }
        Ok(free)
    }

    /// Tells everybody at a table that somebody holds a seat, or nobody does.
    fn note_free(&self, game: &str, seat: Seat, free: bool) {
        let handle: Option<Arc<Handle>> = self.open_tables().get(game).cloned();
        let Some((handle, side)) = handle.zip(seat.sides().next()) else { return };
        handle.pulse.send_modify(|pulse| pulse.present.free[side] = free);
    }
}

fn expect_player(seat: Seat) -> Result<(), Refusal> {
    match seat {
        Seat::OBSERVER => Err(plain("the observers' seat is everybody's")),
        _ => Ok(()),
    }
}

fn revoke(handle: &Handle, seat: Seat) {
    handle.pulse.send_modify(|pulse| {
        if let Some(count) = pulse.revoked.count(seat) {
            *count += 1;
        }
    });
}

fn new_secret() -> Result<String, Refusal> {
    random().map_err(|faults| plain(faults.to_string()))
}
