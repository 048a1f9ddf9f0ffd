"""The environments pass the tests of the libraries that they are for, in every scenario."""

from __future__ import annotations

import warnings

import grognard
import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402
from pettingzoo.utils.conversions import aec_to_parallel  # noqa: E402

SCENARIOS = grognard.scenarios()
# The longest list of some random games had 5,848 answers (bite/radzymin).
ROOM = 8192


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_pettingzoo(scenario: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(grognard.aec_env(scenario, max_answers=ROOM), num_cycles=60)
        seed_test(lambda: grognard.aec_env(scenario, max_answers=ROOM), num_cycles=25)


def test_pettingzoo_to_the_end_of_a_game() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(grognard.aec_env("dagc/vitebsk"), num_cycles=1500)
        seed_test(lambda: grognard.aec_env("mini/ford"), num_cycles=500)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_gymnasium(scenario: str) -> None:
    side = "axis" if len(scenario) % 2 else "soviet"
    env = grognard.solo_env(scenario, side=side, opponent="random", max_answers=ROOM, illegal="lose")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


def test_nothing_is_done_at_the_same_time() -> None:
    with pytest.raises(AssertionError):
        aec_to_parallel(grognard.aec_env("mini/ford"))


def test_too_many_answers_are_an_error_that_names_them() -> None:
    env = grognard.aec_env("dagc/historical", max_answers=3)
    env.reset(seed=1)
    with pytest.raises(grognard.InputError, match=r"\d+ answers are legal"):
        env.last()


def test_an_illegal_answer_raises_or_loses() -> None:
    env = grognard.solo_env("mini/ford")
    env.reset(seed=1)
    with pytest.raises(grognard.IllegalAction):
        env.step(511)
    env = grognard.solo_env("mini/ford", illegal="lose")
    env.reset(seed=1)
    assert env.step(511)[1:3] == (-1.0, True)


def test_who_is_not_asked_has_no_answers() -> None:
    env = grognard.aec_env("mini/ford")
    env.reset(seed=1)
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    seen = env.observe(other)
    assert not seen["action_mask"].any() and (seen["observation"]["answers"] == -1).all()


def test_rewards_sum_to_nothing() -> None:
    env = grognard.aec_env("mini/ford")
    env.reset(seed=4)
    luck, total = np.random.default_rng(1), dict.fromkeys(("axis", "soviet"), 0.0)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        total[agent] += reward
        env.step(None if over or cut else int(luck.choice(np.flatnonzero(seen["action_mask"]))))
    assert sorted(total.values()) in ([-1.0, 1.0], [0.0, 0.0])


def test_it_is_registered() -> None:
    import grognard.solo  # noqa: F401

    env = gymnasium.make("grognard/Solo-v1", scenario="mini/ford", side="soviet")
    seen, info = env.reset(seed=1)
    assert seen["action_mask"].sum() == info["action_mask"].sum() > 0


def test_vector() -> None:
    env = grognard.vector_env("mini/ford", 5, side="axis", opponent="recruit", max_answers=128)
    seen, _ = env.reset(seed=3)
    assert env.observation_space.contains(seen)
    luck, ended = np.random.default_rng(1), 0
    for _ in range(120):
        answers = (luck.random(5) * seen["action_mask"].sum(1)).astype(int)
        seen, reward, done, _, infos = env.step(answers)
        assert env.observation_space.contains(seen)
        ended += int(done.sum())
        if done.any():
            game = int(np.flatnonzero(done)[0])
            assert env.single_observation_space.contains(infos["final_obs"][game])
            assert (reward[~done] == 0).all()
    assert ended > 0


def test_rllib() -> None:
    pytest.importorskip("ray.rllib.env.multi_agent_env", reason="ray[rllib] is not installed")
    env = grognard.RllibEnv({"scenario": "mini/ford", "max_answers": 128})
    seen, _ = env.reset(seed=1)
    luck, totals = np.random.default_rng(1), []
    while True:
        (side, view), = seen.items()
        assert env.observation_spaces[side].contains(view)
        seen, rewards, over, cut, _ = env.step({side: int(luck.choice(np.flatnonzero(view["action_mask"])))})
        if over["__all__"] or cut["__all__"]:
            totals.append(sum(rewards.values()))
            break
    assert totals == [0.0] and set(seen) == {"axis", "soviet"}
