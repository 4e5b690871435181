"""The night at the table on several pages: booking, undo, editing, settling, in step."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import httpx2
import pytest

from tests.kiosk.browser.conftest import PHOTO, Site, expect, say_facts, take_photo

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

HAND = "66678m11333p555z[222z]@6m"
"""West, off South in the East round: 3 tai, so South pays 3 + 3."""


@pytest.fixture(autouse=True)
def night(site: Site) -> None:
    site.configure(house_options={})
    site.begin_night("An", "Bo", "Chi", "Dee")


def totals(site: Site) -> dict[str, int]:
    return {seat["player"]: seat["total"] for seat in site.table()["seats"]}


def events(site: Site) -> list[str]:
    return [event["kind"] for event in site.table()["history"] if event["kind"] != "start"]


def enter_win(page: Page) -> None:
    page.goto("/enter")
    page.locator("#hand-text").fill(HAND)
    page.locator("#winner-W").click()
    page.locator("#how-S").click()
    page.locator("#score [data-certain=true]").wait_for()


def test_a_night_begins_with_four_names(page: Page, site: Site) -> None:
    page.goto("/phone#table")
    page.locator("#act-new-night").click()
    for place, name in enumerate(("Mei", "Lan", "Ju", "Zhu")):
        page.locator(f"#player-{place}").fill(name)
    page.locator("#begin-night").click()
    expect(page.locator("#table .seat .name").first).to_have_text("Mei")
    assert totals(site) == {"Mei": 0, "Lan": 0, "Ju": 0, "Zhu": 0}


def test_a_photographed_hand_is_booked_once_however_often_it_is_tapped(
    page: Page, site: Site
) -> None:
    take_photo(page)
    say_facts(page, round_wind=None)  # the table knows round and dealer
    page.locator("#book").dblclick()
    page.locator("#result .notice.good").wait_for()
    assert events(site) == ["win"]
    assert totals(site) == {"An": 0, "Bo": 5, "Chi": -5, "Dee": 0}
    # The seats have turned; the receipt still names those who played the hand.
    names = page.locator("#result .receipt .seat .name").all_inner_texts()
    assert names == ["An", "Bo", "Chi", "Dee"]


def test_a_hand_that_was_taken_back_can_be_booked_again(page: Page, site: Site) -> None:
    take_photo(page)
    say_facts(page, round_wind=None)
    page.locator("#book").click()
    page.locator("#result .notice.good").wait_for()
    httpx2.post(f"{site.address}/api/table/undo", json={"accept": True}).raise_for_status()
    page.locator("#book").click()  # it is offered again, and counts
    page.locator("#result .notice.good").wait_for()
    assert events(site) == ["win"]
    assert totals(site) == {"An": 0, "Bo": 5, "Chi": -5, "Dee": 0}


def test_when_others_book_meanwhile_the_winner_is_asked_again(page: Page, site: Site) -> None:
    """South was Bo; after a hand that passes the deal on, South is Chi."""
    enter_win(page)
    expect(page.locator("#winner-W")).to_contain_text("Chi")
    win = {"winners": [{"player": "Dee", "hand": HAND}], "from": "An"}
    httpx2.post(f"{site.address}/api/table/hands", json=win).raise_for_status()
    expect(page.locator("#winner-W")).to_contain_text("Dee")
    expect(page.locator("#winner-W")).to_have_attribute("aria-pressed", "false")
    page.locator("#score [data-certain=false]").wait_for()
    assert page.locator("#book").count() == 0


def test_an_entered_hand_is_booked_undone_and_settled(page: Page, site: Site) -> None:
    enter_win(page)
    page.locator("#book").click()
    page.goto("/phone#table")
    # The deal passes on, so East is Bo now, then Chi, Dee, An.
    expect(page.locator("#table .seat .amount")).to_have_text(["−6", "+6", "0", "0"])
    page.locator("#act-settle").click()
    expect(page.locator("dialog .settlement li")).to_have_text(["Bo pays Chi 6"])
    page.keyboard.press("Escape")
    page.locator("#act-undo").click()
    expect(page.locator("dialog table.preview tr").nth(1)).to_contain_text("−6")
    page.locator("dialog .main-button").click()
    expect(page.locator("#table .seat .amount")).to_have_text(["0", "0", "0", "0"])
    assert events(site) == []


def test_a_hand_is_put_right(page: Page, site: Site) -> None:
    """Drawn, not discarded: each of three pays 3 and the tai, and self-drawn counts."""
    enter_win(page)
    page.locator("#book").click()
    expect(page.locator("#hand-text")).to_have_value("")
    no = site.table()["history"][-1]["no"]
    page.goto("/phone#table")
    page.locator(f"#edit-{no}").click()
    expect(page.locator("#hand-text")).not_to_have_value("")  # the event is there
    page.locator("#how-drawn").click()
    page.locator("#score [data-certain=true]").wait_for()
    expect(page.locator("#score .receipt tbody")).to_contain_text("Self-drawn")
    page.locator("#book").click()
    page.locator("dialog .main-button").click()
    expect(page.locator("#table .seat .name").first).to_be_visible()
    won = totals(site)
    assert won["Chi"] > 6
    assert all(won[player] < 0 for player in ("An", "Bo", "Dee"))


def test_the_screen_at_the_table_is_found_again(
    new_context: Callable[..., BrowserContext], site: Site
) -> None:
    """In full screen there is no button to go back; a phone has no way there."""
    screen = new_context(viewport={"width": 1280, "height": 720}).new_page()
    screen.goto("/kiosk")
    screen.locator("a[href='/phone#table']").click()
    screen.locator("#act-settle").wait_for()
    screen.locator("#nav a[href='/kiosk']").click()
    screen.locator("#full").wait_for()
    phone = new_context().new_page()
    phone.goto("/phone#table")
    phone.locator("#act-settle").wait_for()
    assert phone.locator("a[href='/kiosk']").count() == 0


def test_draw_false_win_penalty_and_seats_by_tap(page: Page, site: Site) -> None:
    page.goto("/phone#table")
    page.locator("#act-draw").click()
    page.locator("dialog .main-button").click()
    expect(page.locator("#table .history li")).to_have_count(1)
    page.locator("#act-penalty").click()
    page.locator("#offender").select_option("Dee")
    page.locator("#points").fill("4")
    page.locator("#to").select_option("An")
    page.locator("#book-penalty").click()
    expect(page.locator("#table .history li")).to_have_count(2)
    assert totals(site) == {"An": 4, "Bo": 0, "Chi": 0, "Dee": -4}
    page.locator("#act-false-win").click()
    page.locator("#offender").select_option("Bo")
    page.locator("#points").fill("1")
    page.locator("#book-penalty").click()
    expect(page.locator("#table .history li")).to_have_count(3)
    page.locator("#act-change-seats").click()
    page.locator("#seat-0").select_option("Dee")
    page.locator("#book-seats").click()
    expect(page.locator("#table .seat .name")).to_have_text(["Dee", "Bo", "Chi", "An"])
    assert events(site) == ["draw", "penalty", "false-win", "seats"]


def test_two_phones_and_the_screen_are_in_step(
    new_context: Callable[..., BrowserContext], site: Site
) -> None:
    first, second = new_context().new_page(), new_context().new_page()
    screen = new_context(viewport={"width": 1280, "height": 720}).new_page()
    second.goto("/phone#table")
    screen.goto("/kiosk")
    expect(screen.locator("#table .seat .amount")).to_have_text(["0", "0", "0", "0"])
    enter_win(first)
    first.locator("#book").click()
    for page in (second, screen):
        expect(page.locator("#table .seat .amount")).to_have_text(["−6", "+6", "0", "0"])
    second.locator("#act-undo").click()
    second.locator("dialog .main-button").click()
    expect(screen.locator("#table .seat .amount")).to_have_text(["0", "0", "0", "0"])


ON_THE_SAME = "57m123456789p11s[777z]@6m"
"""North, off South too: dragon pung 1, closed wait 1, so South pays 3 + 2."""


def next_winner(page: Page) -> None:
    """The hand of West waits, that of North is entered; who discarded is known."""
    enter_win(page)
    page.locator("#also-won").click()
    expect(page.locator("#together")).to_contain_text("Chi")
    page.locator("#hand-text").fill(ON_THE_SAME)
    page.locator("#winner-N").click()
    expect(page.locator("#how-S")).to_have_attribute("aria-pressed", "true")


def test_two_winners_on_one_discard_are_booked_together(page: Page, site: Site) -> None:
    site.configure(house_options={"multiple_winners": "all"})
    site.begin_night("An", "Bo", "Chi", "Dee")
    next_winner(page)
    expect(page.locator("#book")).to_have_text("Book the 2 winners")
    page.locator("#book").click()
    expect(page.locator("#hand-text")).to_have_value("")
    expect(page.locator("#together")).to_have_count(0)
    assert totals(site) == {"An": 0, "Bo": -11, "Chi": 6, "Dee": 5}
    assert events(site) == ["win"]


def test_of_two_winners_one_is_put_right(page: Page, site: Site) -> None:
    """The hand of Dee, who sat North, had no dragons: the closed wait 1 is left, so 3 + 1."""
    site.configure(house_options={"multiple_winners": "all"})
    site.begin_night("An", "Bo", "Chi", "Dee")
    win = {"winners": [{"player": "Chi", "hand": HAND}, {"player": "Dee", "hand": ON_THE_SAME}]}
    httpx2.post(f"{site.address}/api/table/hands", json=win | {"from": "Bo"}).raise_for_status()
    page.goto("/phone#table")
    page.locator("#table .history button").first.click()
    expect(page.locator("#hand-text")).to_have_value(HAND)
    page.locator("#whose-1").click()
    expect(page.locator("#hand-text")).to_have_value(ON_THE_SAME)
    expect(page.locator("#winner-N")).to_have_attribute("aria-pressed", "true")
    page.locator("#hand-text").fill(ON_THE_SAME.replace("777z", "234s"))
    expect(page.locator("#score .total")).to_have_text("1 tai")
    page.locator("#book").click()
    page.locator("dialog .main-button").click()
    expect(page.locator("#table .history li")).to_have_count(1)
    assert totals(site) == {"An": 0, "Bo": -10, "Chi": 6, "Dee": 4}
    site.configure(house_options={})


def test_what_was_told_of_a_win_is_kept_when_it_is_put_right(page: Page, site: Site) -> None:
    """Riichi: the indicators, red fives and sticks stand where they were told."""
    site.configure(rules="riichi")
    site.begin_night("An", "Bo", "Chi", "Dee")
    told = {"dora": "1s", "red_fives": 0, "sticks": ["Bo"]}
    winner = {"player": "Chi", "hand": "234m456p2234567s@8s", **told}
    win = {"winners": [winner], "from": "Bo"}
    httpx2.post(f"{site.address}/api/table/hands", json=win).raise_for_status()
    page.goto("/phone#table")
    page.locator("#table .history button").first.click()
    page.locator("#more-facts summary").first.click()
    expect(page.locator("#fact-red_fives")).to_have_value("0")
    page.locator("#how-N").click()
    page.locator("#book").click()
    page.locator("dialog .main-button").click()
    expect(page.locator("#table .history li")).to_have_count(1)
    body = site.table()["history"][-1]["body"]
    assert body["from"] == "Dee"
    assert {name: body["winners"][0].get(name) for name in told} == told
    site.configure(rules="taiwan")


def test_nothing_can_be_said_of_a_hand_that_has_not_come_yet(page: Page, site: Site) -> None:
    """The table's answer is slow; a tap before it would be undone by it."""
    win = {"winners": [{"player": "Chi", "hand": HAND}], "from": "Bo"}
    httpx2.post(f"{site.address}/api/table/hands", json=win).raise_for_status()
    no = site.table()["history"][-1]["no"]
    held: list[Route] = []
    page.route("**/api/table?**", lambda route: held.append(route))
    page.goto(f"/enter#edit={no}")
    page.wait_for_function("() => document.querySelector('#form').inert")
    while not held:
        page.wait_for_timeout(20)
    assert page.locator("#form").evaluate("form => form.inert")
    held[0].continue_()
    expect(page.locator("#hand-text")).to_have_value(HAND)
    assert not page.locator("#form").evaluate("form => form.inert")
    expect(page.locator("#book")).to_be_visible()


def test_what_is_said_before_the_table_is_known_stays(page: Page) -> None:
    """The table's news are slow; who won is said of a wind, whoever sits there."""
    held: list[Route] = []
    page.route("**/api/table/events*", lambda route: held.append(route))
    page.goto("/phone")
    page.locator("#take-photo").set_input_files(PHOTO)
    page.locator("#result [data-certain]").wait_for()
    page.locator("#winner-S").click()
    page.locator("#how-W").click()
    expect(page.locator("#winner-S")).to_contain_text("South")
    held[-1].continue_()
    expect(page.locator("#winner-S")).to_contain_text("Bo")
    expect(page.locator("#winner-S")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#how-W")).to_have_attribute("aria-pressed", "true")
    page.locator("#book").wait_for()


def test_a_night_is_played_by_new_rules_when_it_is_said(page: Page, site: Site) -> None:
    page.goto("/settings")
    page.locator("#field-base").fill("5")
    page.locator("form:has(#field-base) .main-button").click()
    page.locator("dialog .main-button").click()
    expect(page.locator("#toast")).to_have_text("Booked.")
    assert events(site) == ["rules"]
    enter_win(page)
    expect(page.locator("#score")).to_contain_text("base 5, tai 3")
    site.configure(base=None)


def test_where_only_the_nearest_wins_the_second_is_refused(page: Page, site: Site) -> None:
    """West sits nearer to South than North does."""
    next_winner(page)
    expect(page.locator("#score")).to_contain_text("nearer")
    assert page.locator("#book").count() == 0
    page.locator("#let-go").click()
    expect(page.locator("#hand-text")).to_have_value("")
    expect(page.locator("#together")).to_have_count(0)
    assert events(site) == []


def test_the_next_winner_may_be_photographed(page: Page, site: Site) -> None:
    """What waits is still there on the page for photos of the same tab."""
    enter_win(page)
    page.locator("#also-won").click()
    take_photo(page)
    expect(page.locator("#together")).to_contain_text("Chi")
    expect(page.locator("#how-S")).to_have_attribute("aria-pressed", "true")
    page.locator("#let-go").click()
    expect(page.locator("#together")).to_have_count(0)
