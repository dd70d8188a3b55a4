// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import static io.github.rdma4j.internal.irdma.Elements.Completion.CONTEXT_WORD;
import static io.github.rdma4j.internal.irdma.Elements.Completion.ERROR;
import static io.github.rdma4j.internal.irdma.Elements.Completion.EXTENDED;
import static io.github.rdma4j.internal.irdma.Elements.Completion.HEADER_WORD;
import static io.github.rdma4j.internal.irdma.Elements.Completion.INDEX_MASK;
import static io.github.rdma4j.internal.irdma.Elements.Completion.INDEX_SHIFT;
import static io.github.rdma4j.internal.irdma.Elements.Completion.SEND;
import static io.github.rdma4j.internal.irdma.Elements.Completion.SHARED;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.bnxt.BnxtAbi;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.erdma.Elements.Completion;
import io.github.rdma4j.internal.erdma.ErdmaAbi;
import io.github.rdma4j.internal.irdma.IrdmaAbi;
import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Mlx5Abi;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.bnxt.BnxtMode;
import io.github.rdma4j.providers.erdma.ErdmaMode;
import io.github.rdma4j.providers.irdma.IrdmaMode;
import io.github.rdma4j.providers.mlx4.Mlx4Mode;
import io.github.rdma4j.providers.mlx5.Mlx5Mode;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two queue pairs of a driver on one completion queue, in whose memory every byte may be anything: posts and polls throw nothing, and
 * each posted request completes at most once. If the device has shared receive queues, the second queue pair takes from one.
 */
@ParameterizedClass
@MethodSource("devices")
class ScribbledRingsTest {
    private static final int ROUNDS = 10_000;

    private static final int WANTED = 31;
    private static final int FIRST_QPN = 0x100;
    private static final int RECEIVES = 4;

    private final Rings rings;
    private final PlayedDriver device;
    private final List<QueueRings> pairs = new ArrayList<>();
    private final List<CapturedRequest> requests = new ArrayList<>();

    ScribbledRingsTest(Rings rings) {
        this.rings = rings;
        this.device = rings.mode().open();
    }

    /**
     * The rings of a device.
     *
     * @param mode the device
     * @param order the order of bytes of entries
     * @param entryBytes the bytes of an entry
     * @param ring where the requests for queues have the address of the ring
     * @param record where the request for a completion queue has the address of what lies beside the ring; -1 for nothing
     * @param recordBytes its length
     * @param shared whether there are shared receive queues
     * @param namer names a request in an entry, and leaves the rest of the entry as it is or anything else
     * @param between what comes between two rounds
     */
    record Rings(
            Mode mode,
            ByteOrder order,
            int entryBytes,
            int ring,
            int record,
            int recordBytes,
            boolean shared,
            Namer namer,
            Between between) {
        /** The bytes of the ring of a completion queue. */
        int bytes(int entries) {
            return (mode instanceof IrdmaMode ? entries : entries + 1) * entryBytes;
        }

        @Override
        public String toString() {
            return mode.driver() + " " + mode.name();
        }
    }

    interface Namer {
        void name(ByteBuffer ring, int at, Waiting request, Random random);
    }

    interface Between {
        void run(int round, CompletionRing cq, List<QueueRings> queues);
    }

    static Stream<Rings> devices() {
        Between nothing = (round, cq, queues) -> {};
        Between fails = (round, cq, queues) -> {
            if (round == ROUNDS / 2) {
                queues.get(1).fail();
            }
        };
        // The entry by which the device leaves the ring ends the polls.
        Between forgets = (round, cq, queues) -> {
            if (round % 100 == 0) {
                queues.forEach(cq::forget);
            }
        };
        ByteOrder big = ByteOrder.BIG_ENDIAN;
        ByteOrder little = ByteOrder.LITTLE_ENDIAN;
        return Stream.of(
                new Rings(Mlx5Mode.ROCE, big, 64, 0, -1, 0, true, ScribbledRingsTest::ofMlx5, nothing),
                new Rings(Mlx5Mode.CQE0, big, 64, 0, -1, 0, true, ScribbledRingsTest::ofMlx5, nothing),
                ofMlx4(Mlx4Mode.ROCE, 64, nothing),
                ofMlx4(Mlx4Mode.CQE32, 32, nothing),
                new Rings(
                        ErdmaMode.SHARED,
                        big,
                        32,
                        ErdmaAbi.CreateCq.QBUF_VA,
                        ErdmaAbi.CreateCq.DB_RECORD_VA,
                        Long.BYTES,
                        false,
                        ScribbledRingsTest::ofErdma,
                        fails),
                ofIrdma(IrdmaMode.ROCE, 32, ScribbledRingsTest::ofIrdma, fails),
                ofIrdma(IrdmaMode.IWARP, 32, ScribbledRingsTest::ofIrdma, fails),
                ofIrdma(IrdmaMode.X722, 32, ScribbledRingsTest::ofIrdma, fails),
                ofIrdma(IrdmaMode.GEN3, 64, ScribbledRingsTest::ofIrdmaGeneration3, fails),
                new Rings(BnxtMode.P5, little, 32, 0, -1, 0, false, ScribbledRingsTest::ofBnxt, forgets),
                new Rings(BnxtMode.P7, little, 32, 0, -1, 0, false, ScribbledRingsTest::ofBnxt, forgets));
    }

    /** A completion is in the last 32 bytes of its entry. */
    private static Rings ofMlx4(Mlx4Mode mode, int entryBytes, Between between) {
        Namer namer = (ring, at, request, random) -> ofMlx4(ring, at + entryBytes - CqeBytes.BYTES, request, random);
        return new Rings(mode, ByteOrder.BIG_ENDIAN, entryBytes, 0, Long.BYTES, Long.BYTES, true, namer, between);
    }

    private static Rings ofIrdma(IrdmaMode mode, int entryBytes, Namer namer, Between between) {
        int shadow = IrdmaAbi.CreateCq.USER_SHADOW_AREA;
        boolean shared = mode.equals(IrdmaMode.GEN3);
        return new Rings(mode, ByteOrder.LITTLE_ENDIAN, entryBytes, 0, shadow, 64, shared, namer, between);
    }

    private static void ofMlx5(ByteBuffer ring, int at, Waiting request, Random random) {
        int counter = random.nextInt(6) == 0 ? random.nextInt() : request.near();
        ring.putInt(at + Cqe64.SRQN_UIDX, request.made().getInt(Mlx5Abi.CreateQp.UIDX))
                .putInt(at + Cqe64.SOP_DROP_QPN, Codes.OPCODE_SEND << 24 | request.qpn())
                .putShort(at + Cqe64.WQE_COUNTER, (short) counter)
                .put(at + Cqe64.OP_OWN, (byte) random.nextInt());
    }

    private static void ofMlx4(ByteBuffer ring, int entry, Waiting request, Random random) {
        int operation =
                request.sent() ? CqeCodes.MLX4_CQE_IS_SEND_MASK | Codes.OPCODE_SEND : CqeCodes.MLX4_RECV_OPCODE_SEND;
        int owner = random.nextInt() & CqeCodes.MLX4_CQE_OWNER_MASK;
        boolean any = random.nextInt(8) == 0;
        ring.putInt(entry + CqeBytes.VLAN_MY_QPN, request.qpn())
                .putShort(entry + CqeBytes.WQE_INDEX, (short) (request.near() - 1))
                .put(entry + CqeBytes.OWNER_SR_OPCODE, (byte) (any ? random.nextInt() : owner | operation));
    }

    private static void ofErdma(ByteBuffer ring, int at, Waiting request, Random random) {
        ring.putInt(at + Completion.QPN, request.qpn());
        ring.putInt(at + Completion.INDEX, request.near());
        ring.putInt(at + Completion.HEADER, (random.nextInt() & ~0xff00) | (request.sent() ? 0 : 0x100));
    }

    private static void ofIrdma(ByteBuffer ring, int at, Waiting request, Random random) {
        long anything = random.nextLong();
        long kept = random.nextInt(4) == 0 ? anything : anything & ~(ERROR | EXTENDED);
        long named = (kept & ~((long) INDEX_MASK << INDEX_SHIFT | SEND))
                | (long) (request.near() & 0x1ff) << INDEX_SHIFT
                | (request.sent() ? SEND : 0);
        ring.putLong(at + CONTEXT_WORD * Long.BYTES, request.made().getLong(IrdmaAbi.CreateQp.USER_COMPL_CTX));
        ring.putLong(at + HEADER_WORD * Long.BYTES, named);
    }

    private static void ofIrdmaGeneration3(ByteBuffer ring, int at, Waiting request, Random random) {
        ofIrdma(ring, at, request, random);
        long header = ring.getLong(at + HEADER_WORD * Long.BYTES) & ~SHARED;
        boolean shared = request.shared() && random.nextInt(8) > 0;
        if (shared) {
            long context = request.made().getLong(IrdmaAbi.CreateQp.USER_COMPL_CTX);
            ring.putLong(at + CONTEXT_WORD * Long.BYTES, request.near() & 31);
            ring.putLong(at + 32 + CONTEXT_WORD * Long.BYTES, context);
        }
        ring.putLong(at + HEADER_WORD * Long.BYTES, header | (shared ? SHARED : 0));
    }

    private static void ofBnxt(ByteBuffer ring, int at, Waiting request, Random random) {
        boolean received = !request.sent();
        int kind = random.nextInt(16) == 0 ? random.nextInt(Entry.CUT_OFF) : received ? Entry.RECEIVE : Entry.SEND;
        long last = random.nextLong() & ~((long) Entry.KIND_MASK << Entry.KIND_SHIFT | 0xff << Entry.STATUS_SHIFT);
        int status = random.nextInt(20) == 0 ? random.nextInt(16) : 0;
        ring.putLong(at + (received ? 8 : 0), request.made().getLong(BnxtAbi.CreateQp.QP_HANDLE));
        ring.putLong(at + (received ? 0 : 8), request.near() & 0xffff);
        ring.putLong(at + 24, last | (long) kind << Entry.KIND_SHIFT | (long) status << Entry.STATUS_SHIFT);
    }

    /**
     * A request near those that wait, for an entry to name: any bytes at all would rarely do so.
     *
     * @param sent whether the request is a send
     * @param qpn the number of its queue pair
     * @param made the request that made the queue pair
     * @param near the number of a request near those that wait; of a shared receive queue, any of its elements
     * @param shared whether the request is a receive of the shared receive queue
     */
    record Waiting(boolean sent, int qpn, CapturedRequest made, int near, boolean shared) {}

    private static ByteBuffer reply(Creation<?, ?> creation) {
        return ByteBuffer.allocate(creation.replyBytes()).order(ByteOrder.nativeOrder());
    }

    private CompletionRing completions(DriverContext context, Scribbles scribbles) throws RdmaException {
        int entries = context.entriesToRequest(WANTED);
        Creation<Created.Cq, CompletionRing> creation = context.completionQueue(entries);
        CapturedRequest request = CapturedRequest.of(creation);
        scribbles.add(request.memory(rings.ring()).slice(0, rings.bytes(entries)));
        if (rings.record() >= 0) {
            scribbles.add(request.memory(rings.record()).slice(0, rings.recordBytes()));
        }
        ByteBuffer reply = reply(creation);
        device.answerCq(reply, 0x400, entries);
        return creation.finish(new Created.Cq(1, entries, reply));
    }

    private SharedReceiveRing shared(DriverContext context, Scribbles scribbles) throws RdmaException {
        Creation<Created.Srq, SharedReceiveRing> creation = context.sharedReceiveQueue(RECEIVES, 1);
        scribbles.add(CapturedRequest.of(creation).memory(0));
        ByteBuffer reply = reply(creation);
        device.answerSrq(reply, 0x40, RECEIVES, 1);
        int granted = device.grantedReceives(context.receivesToRequest(RECEIVES));
        return creation.finish(new Created.Srq(1, 0x40, granted, 1, reply));
    }

    private void makePair(
            DriverContext context, CompletionRing cq, @Nullable SharedReceiveRing srq, Scribbles scribbles)
            throws RdmaException {
        QpCap cap = context.capacitiesToRequest(
                srq == null ? new QpCap(RECEIVES, RECEIVES, 1, 1, 0) : new QpCap(RECEIVES, 0, 1, 0, 0));
        Creation<Created.Qp, QueueRings> creation =
                context.queuePair(new QueuePairRequest(QueuePairType.RC, cap, true, cq, cq, srq));
        CapturedRequest request = CapturedRequest.of(creation);
        scribbles.add(request.memory(rings.ring()));
        requests.add(request);
        int number = FIRST_QPN + pairs.size();
        ByteBuffer reply = reply(creation);
        device.answerQp(reply, number, cap);
        pairs.add(creation.finish(new Created.Qp(1, number, cap, reply)));
    }

    @ParameterizedTest
    @Seeds
    void completeNothingTwiceAndNothingThatWasNotPosted(long seed) throws Exception {
        Random random = new Random(seed);
        Scribbles scribbles = new Scribbles(random, () -> device.device().takeStores());
        Creation<ByteBuffer, DriverContext> opening = device.provider().context(device.device());
        DriverContext context = opening.finish(device.contextReply());
        CompletionRing cq = completions(context, scribbles);
        SharedReceiveRing srq = rings.shared() ? shared(context, scribbles) : null;
        makePair(context, cq, null, scribbles);
        makePair(context, cq, srq, scribbles);
        for (int round = 0; round < ROUNDS; round++) {
            scribbles.scribble();
            for (int i = 0; i < pairs.size(); i++) {
                ReceiveRing own = pairs.get(i).receive();
                scribbles.postReceives(own != null ? own : requireNonNull(srq), 2 * i);
                scribbles.postSends(pairs.get(i), 2 * i + 1);
            }
            scribbles.scribble();
            nameRequests(random, scribbles);
            scribbles.poll(cq, random.nextInt(2 * WANTED));
            rings.between().run(round, cq, pairs);
        }
        assertThat(scribbles.completed.size()).as("completions, seed %d", seed).isGreaterThan(ROUNDS / 50);
    }

    private void nameRequests(Random random, Scribbles scribbles) {
        ByteBuffer ring = scribbles.memories.get(0).duplicate().order(rings.order());
        for (int at = 0; at + rings.entryBytes() <= ring.capacity(); at += rings.entryBytes()) {
            int queue = random.nextInt(scribbles.counts.length);
            int pair = queue / 2;
            boolean shared = queue == 2 && rings.shared();
            int near = shared ? random.nextInt(2 * RECEIVES) : scribbles.near(queue);
            Waiting request = new Waiting(queue % 2 != 0, FIRST_QPN + pair, requests.get(pair), near, shared);
            rings.namer().name(ring, at, request, random);
        }
    }

    /** Posts to rings in which every byte may be anything, and polls them: each request that was posted completes at most once. */
    private static final class Scribbles {
        private final Random random;

        /** Takes what the device has been told. */
        private final Runnable posted;

        private final List<ByteBuffer> memories = new ArrayList<>();
        private final Set<Long> waiting = new HashSet<>();
        private final List<Long> completed = new ArrayList<>();

        /** How much was posted to each of four queues. */
        private final int[] counts = new int[4];

        private long wrIds;

        Scribbles(Random random, Runnable posted) {
            this.random = random;
            this.posted = posted;
        }

        /** From now on {@link #scribble} writes to {@code memory}, too. */
        void add(ByteBuffer memory) {
            memories.add(memory);
        }

        /** Near what a queue has posted last. */
        int near(int queue) {
            return counts[queue] - random.nextInt(8);
        }

        void scribble() {
            for (ByteBuffer memory : memories) {
                int at = random.nextInt(memory.capacity() / Long.BYTES) * Long.BYTES;
                int words = random.nextInt(Math.min(64, (memory.capacity() - at) / Long.BYTES) + 1);
                for (int i = 0; i < words; i++) {
                    memory.putLong(at + i * Long.BYTES, random.nextLong());
                }
            }
        }

        void postReceives(ReceiveRing ring, int queue) {
            while (!ring.isFull() && random.nextInt(4) > 0) {
                counts[queue]++;
                ring.put(PlayedRequest.receive(new String[] {"recv", "", next()}));
            }
        }

        void postSends(QueueRings rings, int queue) {
            while (!rings.send().isFull() && random.nextInt(4) > 0) {
                counts[queue]++;
                String line = "send Q " + next() + " send s 0 0 0 0 0 - 0 0 0:10:45a";
                rings.send().put(PlayedRequest.send(line.split(" "), null));
                rings.send().publish();
            }
            posted.run();
        }

        private String next() {
            waiting.add(++wrIds);
            return Long.toString(wrIds);
        }

        void poll(CompletionRing cq, int most) {
            Long[] places = new Long[most];
            Arrays.fill(places, 0L);
            int before = completed.size();
            int polled = cq.poll(places, new WrIds());
            assertThat(polled).isLessThanOrEqualTo(most).isEqualTo(completed.size() - before);
            for (long wrId : completed.subList(before, completed.size())) {
                assertThat(waiting.remove(wrId))
                        .as("request %d was posted, and has not completed", wrId)
                        .isTrue();
            }
        }

        private final class WrIds implements CompletionSink<Long> {
            @Override
            public void setResult(Long place, long wrId, int status, int opcode, int qpNumber) {
                completed.add(wrId);
            }

            @Override
            public void setPayload(Long place, int byteLength, int immediateBe, int flags, int vendorError) {}

            @Override
            public void setSource(Long place, int sourceQp, long path) {}

            @Override
            public void copy(Long place, LongBuffer ring, int index) {
                throw new AssertionError("a completion of this device is no struct ib_uverbs_wc");
            }
        }
    }
}
