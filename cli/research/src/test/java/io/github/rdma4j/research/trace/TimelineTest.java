// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.research.trace.Entry.Lane;
import io.github.rdma4j.research.trace.Step.Side;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineTest {
    @SuppressWarnings("UnusedVariable") // the source of parameters
    private static final List<String> SAMPLES = Samples.NAMES;

    private static List<String> names(List<Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.kind() != Entry.Kind.QUERY)
                .map(entry -> entry.kind() == Entry.Kind.MESSAGE
                        ? entry.name()
                        : entry.from().title().charAt(0) + ":" + entry.name())
                .toList();
    }

    private static Entry entry(List<Entry> entries, String name) {
        return entries.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> causes(List<Entry> entries, String name) {
        return entry(entries, name).causes().stream()
                .map(number -> entries.get(number).name())
                .toList();
    }

    @ParameterizedTest
    @FieldSource("SAMPLES")
    void noEffectComesBeforeItsCause(String sample) throws Exception {
        List<Entry> entries = Samples.entries(sample);
        long last = 0;
        for (Entry entry : entries) {
            assertThat(entry.time()).isGreaterThanOrEqualTo(last);
            last = entry.time();
            assertThat(entry.causes()).allMatch(cause -> cause < entry.number());
        }
    }

    @Test
    void aConnectionIsMadeAndEnded() throws Exception {
        List<Entry> entries = Samples.entries("normal");
        assertThat(names(entries))
                .containsSubsequence("c:RESOLVE_ADDR", "i:ADDR_RESOLVED", "c:RESOLVE_ROUTE", "i:ROUTE_RESOLVED")
                .containsSubsequence("c:CONNECT", "REQ", "s:CONNECT_REQUEST", "s:ACCEPT", "REP", "i:CONNECT_RESPONSE")
                .containsSubsequence("c:ACCEPT", "RTU", "s:ESTABLISHED", "c:DISCONNECT", "DREQ", "s:DISCONNECTED")
                .containsSubsequence("s:DISCONNECT", "DREP");
        assertThat(causes(entries, "REQ")).containsExactly("CONNECT");
        assertThat(causes(entries, "CONNECT_REQUEST")).containsExactly("REQ");
        assertThat(causes(entries, "REP")).containsExactlyInAnyOrder("REQ", "ACCEPT");
        assertThat(causes(entries, "RTU")).containsExactlyInAnyOrder("REP", "ACCEPT");
        assertThat(causes(entries, "ESTABLISHED")).containsExactly("RTU");
        assertThat(causes(entries, "DREQ")).contains("DISCONNECT");
        assertThat(causes(entries, "DREP")).containsExactlyInAnyOrder("DREQ", "DISCONNECT");
        assertThat(causes(entries, "ADDR_RESOLVED")).containsExactly("RESOLVE_ADDR");
    }

    @Test
    void aKernelRejectsForItself() throws Exception {
        List<Entry> entries = Samples.entries("reject");
        assertThat(causes(entries, "REJ")).containsExactly("REQ");
        assertThat(entry(entries, "REJ").summary()).isEqualTo("8 (no listener on that port)");
        assertThat(entry(entries, "REJECTED").result()).isEqualTo("status 8");
        assertThat(causes(entries, "REJECTED")).containsExactly("REJ");
    }

    @Test
    void datagramsAreResolved() throws Exception {
        List<Entry> entries = Samples.entries("datagram");
        assertThat(names(entries))
                .containsSubsequence("c:CONNECT", "SIDR_REQ", "s:CONNECT_REQUEST", "s:ACCEPT", "SIDR_REP")
                .containsSubsequence("SIDR_REP", "i:ESTABLISHED");
        assertThat(causes(entries, "SIDR_REP")).containsExactlyInAnyOrder("SIDR_REQ", "ACCEPT");
        assertThat(causes(entries, "ESTABLISHED")).containsExactly("SIDR_REP");
    }

    @Test
    void aFullMemberReportsItselfAndASendOnlyMemberDoesNot() throws Exception {
        List<Entry> full = Samples.entries("join");
        assertThat(full.stream().filter(entry -> entry.name().equals(WireMessage.JOIN)))
                .extracting(Entry::from)
                .contains(Lane.CLIENT_KERNEL, Lane.SERVER_KERNEL);
        assertThat(causes(full, "MULTICAST_JOIN")).containsExactly("JOIN_MCAST");
        assertThat(causes(full, WireMessage.JOIN)).containsExactly("JOIN_MCAST");
        assertThat(causes(full, WireMessage.LEAVE)).containsExactly("LEAVE_MCAST");
        List<Entry> sendOnly = Samples.entries("sendonly");
        assertThat(sendOnly.stream().filter(entry -> entry.name().equals(WireMessage.JOIN)))
                .extracting(Entry::from)
                .containsOnly(Lane.SERVER_KERNEL);
        assertThat(sendOnly).anyMatch(entry -> entry.summary().contains("send-only full member"));
    }

    @Test
    void onInfiniBandTheSubnetManagerIsAsked() throws Exception {
        List<Entry> entries = Samples.entries("infiniband");
        assertThat(names(entries)).containsSubsequence("c:JOIN_MCAST", "SA Set", "SA GetResp", "i:MULTICAST_JOIN");
        assertThat(causes(entries, "SA Set")).containsExactly("JOIN_MCAST");
        assertThat(causes(entries, "SA Delete")).containsExactly("LEAVE_MCAST");
        Entry answer = entry(entries, "SA GetResp");
        assertThat(List.of(answer.from(), answer.to())).containsExactly(Lane.WIRE, Lane.CLIENT_KERNEL);
        Entry table = entry(entries, "SMP Set");
        assertThat(table.summary()).isEqualTo("manager to switch: MulticastForwardingTable");
        assertThat(List.of(table.from(), table.to())).containsOnly(Lane.WIRE);
    }

    @Test
    void migrationSendsNothing() throws Exception {
        List<Entry> entries = Samples.entries("migrate");
        assertThat(names(entries)).containsSubsequence("s:ESTABLISHED", "c:MIGRATE_ID", "s:MIGRATE_ID", "DREQ");
        Entry migration = entry(entries, "MIGRATE_ID");
        assertThat(entries).noneMatch(entry -> entry.causes().contains(migration.number()));
    }

    /** Three hours apart, as two guests are whose clocks nobody has set. */
    @ParameterizedTest
    @ValueSource(longs = {-10_800, 10_800})
    void clocksMayDiffer(long seconds) throws Exception {
        Trace trace = Samples.trace("normal");
        long shift = TimeUnit.SECONDS.toNanos(seconds);
        List<Step> steps = trace.steps().stream()
                .map(step -> step.side() == Side.CLIENT ? step : shifted(step, shift))
                .toList();
        List<WireMessage> messages = trace.messages().stream()
                .map(message -> shifted(message, shift))
                .toList();
        assertThat(names(Timeline.of(new Trace(steps, messages)))).isEqualTo(names(Samples.entries("normal")));
    }

    private static Step shifted(Step step, long shift) {
        return new Step(
                step.kind(),
                step.name(),
                step.begin() + shift,
                step.end() + shift,
                step.actor(),
                step.result(),
                step.details());
    }

    private static WireMessage shifted(WireMessage message, long shift) {
        if (!message.name().equals(WireMessage.CLOCK) || Side.of(message.source()) == Side.CLIENT) {
            return message;
        }
        String[] time = message.subject().split("\\.", -1);
        long seconds = Long.parseLong(time[0]) + TimeUnit.NANOSECONDS.toSeconds(shift);
        return new WireMessage(
                message.time(),
                message.source(),
                message.destination(),
                message.name(),
                seconds + "." + time[1],
                message.mad());
    }

    @Test
    void withoutAnythingThereIsNothing() {
        assertThat(Timeline.of(new Trace(List.of(), List.of()))).isEmpty();
    }
}
