// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.it.support.RequiresTwoPorts;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.Grh;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Datagrams of random sizes and addresses between the two ports of an adapter and from a port to itself, right ones and
 * some that a rule of InfiniBand loses. Each is followed by a marker on the same way: what has not come before the marker
 * has been lost. {@code -Drdma4j.rounds} sets the number of cases.
 */
@RequiresTwoPorts
class RandomDatagramsIbIT {
    private static final int CASES = Integer.getInteger("rdma4j.rounds", 10);
    private static final int STEPS = 20;
    private static final int NOBODY = 0xbff0;
    private static final int MARKER_BYTES = 8;

    private enum Kind {
        RIGHT,
        WRONG_QUEUE_KEY,
        NO_SUCH_QUEUE_PAIR,
        NO_SUCH_LID,
        WRONG_GID
    }

    private record Datagram(Kind kind, AhAttr way, ByteBuffer content, String before) {
        Datagram after(Datagram other) {
            return new Datagram(kind, way, content, " after " + other);
        }

        @Override
        public String toString() {
            return kind + ", " + content.limit() + " bytes, " + way + before;
        }
    }

    @ParameterizedTest
    @Seeds
    void aDatagramComesWholeOrNotAtAll(long seed) {
        Cases.run(seed, CASES, RandomDatagramsIbIT::oneCase);
    }

    private static void oneCase(Random random) throws Exception {
        try (DeviceContext context = DeviceContext.open(Ib.DEVICE);
                ProtectionDomain pd = context.allocatePd();
                DatagramEnd first = new DatagramEnd(context, pd, 1);
                DatagramEnd second = new DatagramEnd(context, pd, 2)) {
            for (int step = 0; step < STEPS; step++) {
                DatagramEnd from = random.nextBoolean() ? first : second;
                DatagramEnd to = random.nextBoolean() ? first : second;
                step(from, to, datagram(random, from, to, to == first ? second : first));
            }
        }
    }

    private static Datagram datagram(Random random, DatagramEnd from, DatagramEnd to, DatagramEnd other) {
        Kind[] kinds = Kind.values();
        Kind kind = random.nextBoolean() ? Kind.RIGHT : kinds[random.nextInt(kinds.length)];
        boolean global = kind == Kind.WRONG_GID || random.nextBoolean();
        Gid wrong = random.nextBoolean() ? other.gid : new Gid(to.gid.prefix(), random.nextLong() | 1);
        Gid gid = kind == Kind.WRONG_GID ? wrong : to.gid;
        AhAttr way = new AhAttr(
                global ? gid : new Gid(0, 0),
                global ? random.nextInt(1 << 20) : 0,
                0,
                global ? random.nextInt(256) : 0,
                global ? random.nextInt(256) : 0,
                kind == Kind.NO_SUCH_LID ? NOBODY : to.lid,
                random.nextInt(16),
                0,
                0,
                global,
                from.port);
        byte[] content = new byte[random.nextInt(DatagramEnd.LONGEST + 1)];
        random.nextBytes(content);
        return new Datagram(kind, way, ByteBuffer.wrap(content), "");
    }

    private static void step(DatagramEnd from, DatagramEnd to, Datagram datagram) throws Exception {
        boolean noQueuePair = datagram.kind() == Kind.NO_SUCH_QUEUE_PAIR;
        from.send(
                datagram.way(),
                noQueuePair ? 0xfffff0 : to.qp.qpn(),
                datagram.kind() == Kind.WRONG_QUEUE_KEY ? DatagramEnd.QKEY + 1 : DatagramEnd.QKEY,
                datagram.content());
        if (datagram.kind() == Kind.RIGHT) {
            assertReceived(from, to, datagram);
        }
        AhAttr plain = new AhAttr(new Gid(0, 0), 0, 0, 0, 0, to.lid, 0, 0, 0, false, from.port);
        Datagram marker = new Datagram(Kind.RIGHT, plain, ByteBuffer.allocate(MARKER_BYTES), "");
        from.send(plain, to.qp.qpn(), DatagramEnd.QKEY, marker.content());
        assertReceived(from, to, marker.after(datagram));
    }

    private static void assertReceived(DatagramEnd from, DatagramEnd to, Datagram sent) throws RdmaException {
        WorkCompletion received = to.received();
        AhAttr way = sent.way();
        assertThat(received.byteLength())
                .as("%s", sent)
                .isEqualTo(Grh.BYTES + sent.content().limit());
        assertThat(received.hasGrh()).isEqualTo(way.isGlobal());
        assertThat(received.slid()).isEqualTo(from.lid);
        assertThat(received.sl()).isEqualTo(way.sl());
        assertThat(received.sourceQp()).isEqualTo(from.qp.qpn());
        int slot = (int) received.wrId();
        if (way.isGlobal()) {
            assertThat(Grh.decode(to.memory, slot * DatagramEnd.SLOT))
                    .isEqualTo(new Grh(from.gid, to.gid, way.trafficClass(), way.flowLabel(), way.hopLimit()));
        }
        assertThat(to.memory.slice(
                        slot * DatagramEnd.SLOT + Grh.BYTES, sent.content().limit()))
                .isEqualTo(sent.content());
        to.receive(slot);
    }
}
