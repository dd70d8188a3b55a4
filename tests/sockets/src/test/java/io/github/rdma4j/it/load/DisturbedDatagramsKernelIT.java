// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresTwoNodes;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams at full rate over an Ethernet that loses, repeats, reorders and corrupts frames: what arrives is whole. */
@RequiresTwoNodes
class DisturbedDatagramsKernelIT {
    private static final int DATAGRAMS = Integer.getInteger("rdma4j.load.requests", 200);
    private static final int WINDOW = 32;
    private static final int MOST_BYTES = 1000;
    private static final int MOST_ENDS = 200_000;
    private static final int HEADER = 2 * Long.BYTES;
    private static final int SLOT = Grh.BYTES + MOST_BYTES;

    /** The number of the datagram that ends a run. */
    private static final long END = -1;

    private static final Loopback.Setup SETUP = Loopback.setup()
            .bytes(WINDOW * SLOT)
            .cqEntries(2 * WINDOW)
            .qp(options -> options.type(QueuePairType.UD).maxSendWr(WINDOW).maxReceiveWr(WINDOW));

    private static End open(DeviceContext context) throws Exception {
        return new End(context, SETUP, (pd, options) -> Datagrams.ready(pd.createQp(options)));
    }

    private static int checksum(ByteBuffer memory, int at, int length) {
        CRC32 sum = new CRC32();
        sum.update(memory.duplicate().limit(at + HEADER - Integer.BYTES).position(at));
        sum.update(memory.duplicate().limit(at + length).position(at + HEADER));
        return (int) sum.getValue();
    }

    /** The program on the second node: says how many datagrams were whole, and fails at one that is not. */
    static final class Receiver {
        private Receiver() {}

        public static void main(String[] none) throws Exception {
            try (DeviceContext context = DeviceContext.open(Rxe.DEVICE);
                    End end = open(context)) {
                for (int slot = 0; slot < WINDOW; slot++) {
                    receive(end, slot);
                }
                System.out.println("queue pair " + end.qp().qpn() + ".");
                WorkCompletion[] one = WorkCompletion.array(1);
                int whole = 0;
                while (end.cq().await(one, Await.LIMIT) == 1 && number(end, one[0].requireSuccess()) != END) {
                    whole++;
                    receive(end, (int) one[0].wrId());
                }
                System.out.println("whole " + whole + ".");
            }
        }

        private static void receive(End end, int slot) throws Exception {
            end.qp().postReceive(new ReceiveWorkRequest(1).wrId(slot).add(end.region(), (long) slot * SLOT, SLOT));
        }

        private static long number(End end, WorkCompletion completion) {
            int at = (int) completion.wrId() * SLOT + Grh.BYTES;
            int length = completion.byteLength() - Grh.BYTES;
            assertThat(length).isBetween(HEADER, MOST_BYTES);
            assertThat(end.buffer().getInt(at + Long.BYTES)).isEqualTo(length);
            assertThat(end.buffer().getInt(at + HEADER - Integer.BYTES))
                    .as("checksum")
                    .isEqualTo(checksum(end.buffer(), at, length));
            return end.buffer().getLong(at);
        }
    }

    /** Sends to the second node, whose queue pair is {@code qpn}. */
    private static final class Sender {
        private final End end;
        private final AddressHandle way;
        private final int qpn;
        private final WorkCompletion[] batch = WorkCompletion.array(WINDOW);

        private Sender(End end, AddressHandle way, int qpn) {
            this.end = end;
            this.way = way;
            this.qpn = qpn;
        }

        static Sender open(End end, int qpn) throws Exception {
            Gid own = Datagrams.gid(Rxe.IPV4);
            int index = end.context().queryGids().stream()
                    .filter(entry -> entry.gid().equals(own) && entry.gidType() == GidEntry.Type.ROCE_V2)
                    .mapToInt(GidEntry::gidIndex)
                    .findFirst()
                    .orElseThrow();
            AhAttr to = AhAttr.to(Datagrams.gid(SecondNode.ADDRESS), index, Datagrams.PORT);
            return new Sender(end, end.pd().createAh(to), qpn);
        }

        void post(long number) throws Exception {
            int at = Math.floorMod(number, WINDOW) * SLOT;
            int length = HEADER + Math.floorMod(number * 7919, MOST_BYTES - HEADER);
            ByteBuffer memory = end.buffer();
            for (int i = HEADER; i < length; i++) {
                memory.put(at + i, (byte) (number * 31 + (long) i * i));
            }
            memory.putLong(at, number).putInt(at + Long.BYTES, length);
            memory.putInt(at + HEADER - Integer.BYTES, checksum(memory, at, length));
            end.qp()
                    .postSend(new SendWorkRequest(1)
                            .wrId(number)
                            .send()
                            .to(way, qpn, Datagrams.QKEY)
                            .add(end.region(), at, length)
                            .signaled());
        }

        /** All of them, each of which completes once and in order. */
        void send(int count) throws Exception {
            long completed = 0;
            for (long posted = 0; completed < count; ) {
                for (; posted < count && posted - completed < WINDOW; posted++) {
                    post(posted);
                }
                int polled = end.cq().await(batch, Await.LIMIT);
                assertThat(polled).isPositive();
                for (int i = 0; i < polled; i++) {
                    assertThat(batch[i].requireSuccess().wrId()).isEqualTo(completed++);
                }
            }
        }

        /** A datagram may find no receive that is posted: it is sent until the receiver has said what it counted. */
        void sendEnd(Program receiver) throws Exception {
            for (int i = 0; i < MOST_ENDS && !receiver.output().contains("whole"); i++) {
                post(END);
                assertThat(end.cq().await(batch, Await.LIMIT)).isOne();
            }
        }
    }

    @Nightly
    @ParameterizedTest
    @ValueSource(strings = {"loss 10%", "duplicate 10%", "delay 1ms reorder 25% 50%", "corrupt 10%"})
    void whatArrivesIsWholeWhateverTheDisturbance(String netem) throws Exception {
        whatArrivesIsWhole(netem);
    }

    @ParameterizedTest
    @ValueSource(strings = "loss 2% duplicate 5% corrupt 5% delay 1ms reorder 10%")
    void whatArrivesIsWhole(String netem) throws Exception {
        try (DeviceContext context = DeviceContext.open(Rxe.DEVICE);
                End end = open(context);
                Program receiver = SecondNode.start(Program.java(Receiver.class))) {
            Sender sender = Sender.open(end, receiver.awaitNumber("queue pair"));
            SecondNode.disturb(netem);
            try {
                sender.send(DATAGRAMS);
            } finally {
                SecondNode.calm();
            }
            sender.sendEnd(receiver);
            assertThat(receiver.awaitNumber("whole"))
                    .as("datagrams that arrived")
                    .isPositive();
            receiver.success();
        }
    }
}
