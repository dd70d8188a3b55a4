// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;

import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Checks of rings: wrap-around, capacity, and work left in the rings of a closed queue pair. */
final class RingChecks {
    private static final int LAPS = 5;
    private static final int DEPTH = 20;
    private static final int MESSAGES = 3000;
    private static final int SLOT = 8;

    private static final Wire.Setup RC = Wire.Setup.of(QueuePairType.RC);
    private static final Wire.Setup SMALL = RC.with(options ->
            options.maxSendWr(DEPTH).maxReceiveWr(DEPTH).maxSendSge(4).maxInline(64));

    private RingChecks() {}

    static List<Check> all() {
        return List.of(
                Check.of("rings: many laps, most requests unsignaled", SMALL, RingChecks::laps),
                Check.of("rings: requests of random length lie across the end", SMALL, RingChecks::acrossTheEnd),
                Check.of("rings: full queues lose nothing", SMALL, RingChecks::full)
                        .exceptOnIwarp("ends a connection when no receive is posted"),
                Check.of("rings: many requests with one doorbell", SMALL, RingChecks::batch),
                Check.of("rings: eight queue pairs share a completion queue", RC, RingChecks::sharedQueue),
                Check.of("rings: both directions at the same time", SMALL, RingChecks::bothDirections),
                Check.of("life: queue pairs come and go with work in them", RC, RingChecks::comeAndGo));
    }

    private static String laps(Wire wire) throws Exception {
        int depth = wire.client.qp.capacities().maxSendWr();
        int messages = LAPS * depth + 1;
        for (int i = 0; i < messages; i++) {
            wire.server.receive(i, 0, 64);
            wire.client.buffer.putInt(0, i);
            SendWorkRequest request = wire.client.request(i, 4).send();
            boolean signaled = i % (depth / 2) == 0 || i == messages - 1;
            wire.client.post(signaled ? request : request.unsignaled());
            wire.server.success(i);
            expect("the message", wire.server.buffer.getInt(0), i);
            if (signaled) {
                wire.client.success(i);
            }
        }
        wire.client.expectNoCompletion();
        return messages + " messages in rings of " + depth;
    }

    private static String acrossTheEnd(Wire wire) throws Exception {
        Random random = new Random(1);
        Side client = wire.client;
        client.fill(1);
        for (int i = 0; i < MESSAGES; i++) {
            wire.server.buffer.putLong(0, 0);
            wire.server.receive(2, 0, 4096);
            int length = 1 + random.nextInt(64);
            SendWorkRequest request = new SendWorkRequest(4).wrId(1).send().signaled();
            if (random.nextBoolean()) {
                request.inline(client.buffer.slice(0, length));
            } else {
                for (int piece = 0; piece < 4; piece++) {
                    request.add(client.region, (long) piece * length, length);
                }
            }
            int total = (int) request.totalLength();
            client.post(request);
            expect("number of bytes", wire.server.success(2).byteLength(), total);
            client.success(1);
            int wrong = wire.server.buffer.slice(0, total).mismatch(client.buffer.slice(0, total));
            expect(wrong < 0, "message " + i + " of " + total + " bytes: byte " + wrong + " is wrong");
        }
        return MESSAGES + " messages";
    }

    private static String full(Wire wire) throws Exception {
        Side client = wire.client;
        SendWorkRequest request = client.request(0, SLOT).send();
        int posted = 0;
        // nothing leaves the queue, because the peer has no receive
        while (client.qp.tryPostSend(request.wrId(posted))) {
            posted++;
        }
        expect(posted >= client.qp.capacities().maxSendWr(), "only " + posted + " requests found room");
        int received = 0;
        for (int i = 0; i < posted; i++) {
            ReceiveWorkRequest receive = new ReceiveWorkRequest(1).wrId(i).add(wire.server.region, 0, SLOT);
            while (!wire.server.qp.tryPostReceive(receive)) {
                wire.server.success(received++);
            }
        }
        while (received < posted) {
            wire.server.success(received++);
        }
        for (int i = 0; i < posted; i++) {
            client.success(i);
        }
        expect(client.qp.tryPostSend(request), "the queue stays full");
        return posted + " requests";
    }

    private static String batch(Wire wire) throws Exception {
        SendWorkRequest[] requests = new SendWorkRequest[DEPTH];
        for (int i = 0; i < DEPTH; i++) {
            wire.client.buffer.putLong(i * SLOT, i);
            wire.server.receive(i, i * SLOT, SLOT);
            requests[i] = new SendWorkRequest(1)
                    .wrId(i)
                    .send()
                    .add(wire.client.region, (long) i * SLOT, SLOT)
                    .signaled();
        }
        expect("number of requests posted", wire.client.qp.postSend(requests, DEPTH), DEPTH);
        for (int i = 0; i < DEPTH; i++) {
            wire.server.success(i);
            wire.client.success(i);
            expect("the message", wire.server.buffer.getLong(i * SLOT), (long) i);
        }
        return DEPTH + " requests";
    }

    private static String sharedQueue(Wire wire) throws Exception {
        int pairs = 8;
        int rounds = 100;
        CompletionQueue cq = wire.context.createCq(pairs);
        QueuePairOptions options =
                QueuePairOptions.builder().sendCq(wire.client.cq).receiveCq(cq).build();
        List<QueuePair> senders = new ArrayList<>();
        List<QueuePair> receivers = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            senders.add(wire.client.pd.createQp(options));
            receivers.add(wire.client.pd.createQp(options));
            wire.connect(senders.get(i), receivers.get(i), true);
        }
        WorkCompletion[] one = WorkCompletion.array(1);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < pairs; i++) {
                ReceiveWorkRequest receive =
                        new ReceiveWorkRequest(1).wrId(i).add(wire.client.region, 512L + (long) i * SLOT, SLOT);
                receivers.get(i).postReceive(receive);
                senders.get(i).postSend(wire.client.request(i, SLOT).send());
            }
            boolean[] seen = new boolean[pairs];
            for (int i = 0; i < pairs; i++) {
                WorkCompletion received = Side.next(cq, one).requireSuccess();
                int from = (int) received.wrId();
                expect("QP number", received.qpNumber(), receivers.get(from).qpn());
                expect(!seen[from], "a completion came twice");
                seen[from] = true;
                Side.next(wire.client.cq, one).requireSuccess();
            }
        }
        return pairs * rounds + " messages";
    }

    private static String bothDirections(Wire wire) throws Exception {
        Side[] sides = {wire.client, wire.server};
        for (int i = 0; i < MESSAGES; i++) {
            for (Side side : sides) {
                side.receive(2, 64, SLOT);
            }
            for (Side side : sides) {
                side.buffer.putLong(0, (long) i << 32 | side.qp.qpn());
                side.post(side.request(1, SLOT).send());
            }
            for (int s = 0; s < sides.length; s++) {
                // the completions of both queues come in any order
                for (int c = 0; c < 2; c++) {
                    WorkCompletion completion = sides[s].completion();
                    expect(completion.isSuccess(), "the completion is " + completion);
                }
                long expected = (long) i << 32 | sides[1 - s].qp.qpn();
                expect("the message", sides[s].buffer.getLong(64), expected);
            }
        }
        return 2 * MESSAGES + " messages";
    }

    private static String comeAndGo(Wire wire) throws Exception {
        int rounds = 50;
        Side client = wire.client;
        QueuePairOptions options = QueuePairOptions.builder().cq(client.cq).build();
        for (int i = 0; i < rounds; i++) {
            try (QueuePair one = client.pd.createQp(options);
                    QueuePair other = client.pd.createQp(options)) {
                wire.connect(one, other, true);
                other.postReceive(new ReceiveWorkRequest(1).add(client.region, 512, SLOT));
                one.postSend(client.request(i, SLOT).send());
                one.postSend(client.request(i, SLOT).send());
                expect(client.completion().isSuccess(), "a message was not sent");
            }
            client.drain();
        }
        wire.server.receive(7, 0, SLOT);
        client.post(client.request(8, SLOT).send());
        wire.server.success(7);
        client.success(8);
        return rounds + " pairs";
    }
}
