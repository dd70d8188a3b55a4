// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;
import static io.github.rdma4j.cli.verify.Check.LeftOutException.leaveOutIf;

import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.time.Duration;
import java.util.List;

/** Checks of sleeping until a completion comes. */
final class EventChecks {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Long enough for an event that must not come. */
    private static final Duration A_WHILE = Duration.ofMillis(100);

    private static final int MESSAGES = 500;
    private static final int RECEIVES = 4;

    private static final Wire.Setup RC = Wire.Setup.of(QueuePairType.RC);

    private EventChecks() {}

    static List<Check> all() {
        return List.of(
                Check.of("events: one for each request", RC, EventChecks::oneForEachRequest),
                Check.of("events: solicited messages only", RC, EventChecks::solicited),
                Check.of("events: a sleeper misses no completion", RC, EventChecks::missesNothing));
    }

    private static void message(Wire wire, boolean solicited) throws Exception {
        wire.server.receive(2, 0, 64);
        SendWorkRequest request = wire.client.request(1, 8).send();
        wire.client.post(solicited ? request.solicited() : request);
        wire.client.success(1);
    }

    private static void expectEvent(Wire wire, boolean expected) throws Exception {
        boolean came =
                wire.server.channel.awaitEvent(expected ? LIMIT : A_WHILE).isPresent();
        expect("whether an event came", came, expected);
    }

    private static String oneForEachRequest(Wire wire) throws Exception {
        for (int i = 0; i < 5; i++) {
            wire.server.cq.requestNotification(false);
            message(wire, false);
            expectEvent(wire, true);
            wire.server.success(2);
        }
        message(wire, false);
        expectEvent(wire, false);
        wire.server.success(2);
        return "";
    }

    private static String solicited(Wire wire) throws Exception {
        leaveOutIf(wire.card.isSoftIwarp(), "not on this device: soft-iWARP takes no receive for solicited");
        wire.server.cq.requestNotification(true);
        message(wire, false);
        wire.server.success(2);
        expectEvent(wire, false);
        message(wire, true);
        expectEvent(wire, true);
        wire.server.success(2);
        return "";
    }

    private static String missesNothing(Wire wire) throws Exception {
        for (int i = 0; i < RECEIVES; i++) {
            wire.server.receive(i, 0, 64);
        }
        WorkCompletion[] batch = WorkCompletion.array(RECEIVES);
        int sent = 0;
        int received = 0;
        while (received < MESSAGES) {
            while (sent < MESSAGES && sent - received < RECEIVES) {
                wire.client.send(sent++, 8);
            }
            int polled = wire.server.cq.await(batch, LIMIT);
            expect(polled > 0, "after " + received + " messages none came in " + LIMIT.toSeconds() + " s");
            for (int i = 0; i < polled; i++) {
                expect(batch[i].isSuccess(), "the completion is " + batch[i]);
                wire.server.receive(i, 0, 64);
                wire.client.success(received++);
            }
        }
        return MESSAGES + " messages";
    }
}
