// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;
import static io.github.rdma4j.cli.verify.Check.LeftOutException.leaveOutIf;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.List;

/** Checks of receives that several queue pairs share. */
final class SharedReceiveChecks {
    private static final int SLOT = 64;
    private static final int DEPTH = 20;
    private static final int LAPS = 5;

    private SharedReceiveChecks() {}

    static List<Check> all() {
        return List.of(
                check("SRQ: two queue pairs take from it, for many laps", SharedReceiveChecks::laps),
                check("SRQ: datagrams", SharedReceiveChecks::datagrams).exceptOnIwarp(DatagramChecks.NOT_ON_IWARP),
                check("SRQ: an event when receives run short", SharedReceiveChecks::limit));
    }

    private static Check check(String name, Check.Body<Sharing> body) {
        return Check.of(name, Wire.Setup.of(QueuePairType.RC), wire -> {
            leaveOutIf(wire.card.attributes().maxSrq() == 0, "not on this device: it has no shared receive queues");
            return body.run(new Sharing(wire));
        });
    }

    /** A shared receive queue, two queue pairs that use it, and two queue pairs that send to these. */
    private static final class Sharing {
        private final Wire wire;
        private final Side client;
        private final CompletionQueue cq;
        private final SharedReceiveQueue srq;
        private final QueuePair[] senders = new QueuePair[2];
        private final QueuePair[] receivers = new QueuePair[2];
        private final WorkCompletion[] one = WorkCompletion.array(1);

        Sharing(Wire wire) throws Exception {
            this.wire = wire;
            client = wire.client;
            cq = wire.context.createCq(2 * DEPTH);
            srq = client.pd.createSrq(
                    SharedReceiveQueueOptions.builder().maxReceiveWr(DEPTH).build());
            for (int i = 0; i < 2; i++) {
                senders[i] = client.pd.createQp(
                        QueuePairOptions.builder().cq(client.cq).build());
                receivers[i] = client.pd.createQp(options(QueuePairType.RC));
                wire.connect(senders[i], receivers[i], true);
            }
        }

        QueuePairOptions options(QueuePairType type) {
            return QueuePairOptions.builder().type(type).cq(cq).srq(srq).build();
        }

        void receive(int slot) throws RdmaException {
            srq.postReceive(new ReceiveWorkRequest(1).wrId(slot).add(client.region, (long) slot * SLOT, SLOT));
        }

        /** Sends a number over one of the two queue pairs, which must arrive in {@code slot}. */
        void send(int over, int number, int slot) throws Exception {
            client.buffer.putInt(0, number);
            senders[over].postSend(client.request(1, Integer.BYTES).send());
            WorkCompletion received = Side.next(cq, one).requireSuccess();
            expect("wr_id", received.wrId(), (long) slot);
            expect("QP number", received.qpNumber(), receivers[over].qpn());
            expect("the message", client.buffer.getInt(slot * SLOT), number);
            expect(client.completion().isSuccess(), "the message was not sent");
        }
    }

    private static String laps(Sharing sharing) throws Exception {
        int messages = LAPS * sharing.srq.capacity();
        for (int slot = 1; slot <= 4; slot++) {
            sharing.receive(slot);
        }
        for (int i = 0; i < messages; i++) {
            int slot = 1 + i % 4;
            sharing.send(i % 3 == 0 ? 0 : 1, i, slot);
            sharing.receive(slot);
        }
        return messages + " messages";
    }

    private static String datagrams(Sharing sharing) throws Exception {
        Card card = sharing.wire.card;
        try (Wire datagrams = Wire.open(card, Wire.Setup.of(QueuePairType.UD))) {
            AddressHandle way = datagrams.client.pd.createAh(card.way());
            QueuePair receiver = sharing.client.pd.createQp(sharing.options(QueuePairType.UD));
            Wire.ready(card, receiver);
            sharing.srq.postReceive(new ReceiveWorkRequest(1).wrId(9).add(sharing.client.region, 0, Grh.BYTES + SLOT));
            datagrams.client.post(datagrams.client.request(1, 8).send().to(way, receiver.qpn(), Wire.QKEY));
            WorkCompletion received = Side.next(sharing.cq, sharing.one).requireSuccess();
            expect("wr_id", received.wrId(), 9L);
            expect("number of bytes", received.byteLength(), Grh.BYTES + 8);
        }
        return "";
    }

    private static String limit(Sharing sharing) throws Exception {
        for (int slot = 1; slot <= 3; slot++) {
            sharing.receive(slot);
        }
        sharing.srq.modifyLimit(2);
        sharing.send(0, 1, 1);
        sharing.send(1, 2, 2);
        AsyncEvent event = sharing.wire.asyncEvent();
        expect(sharing.srq.isLimitReached(event), "the event is " + event);
        sharing.send(0, 3, 3);
        return "";
    }
}
