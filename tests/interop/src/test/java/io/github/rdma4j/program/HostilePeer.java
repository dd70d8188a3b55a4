// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.QpState;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Random;

/**
 * A client that moves its queue pair by itself, from state to state, and does at each step what no client should. Closing it is
 * its death at the step that it has reached.
 */
final class HostilePeer implements AutoCloseable {
    private static final int DEPTH = 64;
    private static final int MANY = 60;
    private static final int LARGEST = 1 << 20;
    private static final int SHORT = 300;
    private static final int NO_QUEUE_PAIR = 0xfe_0000;
    private static final int RNR_FOR_EVER = 7;
    private static final int[] PRIVATE_LENGTHS = {0, 1, ConnectionParameters.MAX_REQUEST_PRIVATE_DATA};
    private static final byte[] NO_WORDS = {};

    /** What it does. */
    enum Deed {
        /** Asks, and waits for no answer. */
        ASKS,
        /** Has been answered and never confirms. */
        NEVER_CONFIRMS,
        /** Refuses the answer. */
        REJECTS,
        /** Speaks in place of confirming. */
        SPEAKS_UNCONFIRMED,
        /** Names a queue pair that does not exist. */
        HAS_NO_QUEUE_PAIR,
        /** Confirms and is silent. */
        IS_SILENT,
        /** Confirms and disconnects. */
        DISCONNECTS,
        /** Messages of random lengths. */
        SENDS_ANYTHING,
        /** A message of no bytes. */
        SENDS_NOTHING,
        /** A message that no receive has room for. */
        SENDS_THE_LARGEST,
        /** More messages at once than receives are posted. */
        SENDS_TOO_MUCH,
        /** A true offer of memory, as a ping makes it, and no receive for the answer. */
        IS_DEAF,
        /** Writes where it likes. */
        WRITES,
        /** Writes to nowhere, and that takes a receive. */
        WRITES_WITH_IMMEDIATE,
        /** Reads where it likes. */
        READS,
        /** Adds where it likes. */
        ADDS,
        /** Invalidates keys that it never got. */
        INVALIDATES;

        /** True when it waits for the answer: the server has given it a place. */
        boolean isAnswered() {
            return this != ASKS;
        }

        /** True when the server is told that the connection is there. */
        boolean confirms() {
            return compareTo(SPEAKS_UNCONFIRMED) > 0;
        }
    }

    private final Deed deed;
    private final Random random;
    private final EventChannel channel = EventChannel.open();
    private final CmId id;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(LARGEST);
    private final MemoryRegion region;
    private boolean established;

    private HostilePeer(Deed deed, InetSocketAddress server, Random random) throws RdmaException, InterruptedException {
        this.deed = deed;
        this.random = random;
        id = Loopback.routed(channel, server);
        pd = id.context().allocatePd();
        cq = id.context().createCq(2 * DEPTH);
        qp = pd.createQp(QueuePairOptions.builder()
                .cq(cq)
                .maxSendWr(DEPTH)
                .maxReceiveWr(DEPTH)
                .build());
        for (int i = 0; i < LARGEST; i += Long.BYTES) {
            memory.putLong(i, random.nextLong());
        }
        region = pd.registerMr(memory, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE));
    }

    /** Does it to the server, which may refuse the connection; the peer is still there then. */
    static HostilePeer act(Deed deed, InetSocketAddress server, Random random)
            throws RdmaException, InterruptedException {
        HostilePeer peer = new HostilePeer(deed, server, random);
        try {
            peer.act();
            return peer;
        } catch (RdmaException | RuntimeException | AssertionError e) {
            peer.close();
            throw e;
        }
    }

    private void act() throws RdmaException, InterruptedException {
        id.connect(request());
        if (!deed.isAnswered() || !hasAnswer()) {
            return;
        }
        if (deed == Deed.REJECTS) {
            id.reject(NO_WORDS);
        } else if (deed != Deed.NEVER_CONFIRMS) {
            makeReady();
            if (deed.confirms()) {
                id.userManagedQp().establish();
                established = true;
            }
            speak();
        }
    }

    private boolean hasAnswer() throws RdmaException, InterruptedException {
        try (CmEvent answer = channel.awaitEvent(Await.LIMIT).orElseThrow()) {
            if (answer.type() != CmEventType.CONNECT_RESPONSE && answer.type() != CmEventType.REJECTED) {
                throw new AssertionError(deed + " got " + answer);
            }
            return answer.type() == CmEventType.CONNECT_RESPONSE;
        }
    }

    private ConnectionParameters request() {
        byte[] words = new byte[PRIVATE_LENGTHS[random.nextInt(PRIVATE_LENGTHS.length)]];
        random.nextBytes(words);
        return ConnectionParameters.builder()
                .qpNumber(deed == Deed.HAS_NO_QUEUE_PAIR ? NO_QUEUE_PAIR + random.nextInt(0x1_0000) : qp.qpn())
                .privateData(words)
                .responderResources(random.nextInt(5))
                .initiatorDepth(random.nextInt(5))
                .flowControl(random.nextBoolean())
                .retryCount(random.nextInt(8))
                .rnrRetryCount(random.nextBoolean() ? RNR_FOR_EVER : random.nextInt(RNR_FOR_EVER))
                .sharedReceiveQueue(random.nextBoolean())
                .build();
    }

    private void makeReady() throws RdmaException {
        boolean hears = deed != Deed.IS_DEAF && random.nextBoolean();
        for (QpState state : new QpState[] {QpState.INIT, QpState.RTR, QpState.RTS}) {
            qp.modify(id.userManagedQp().attributes(state));
            for (int i = 0; state == QpState.INIT && hears && i < DEPTH; i++) {
                qp.postReceive(new ReceiveWorkRequest(1).add(region, 0, LARGEST));
            }
        }
    }

    private void speak() throws RdmaException {
        switch (deed) {
            case DISCONNECTS -> id.disconnect();
            case SPEAKS_UNCONFIRMED, SENDS_ANYTHING -> sendAnything(1 + random.nextInt(3));
            case SENDS_NOTHING -> post(new SendWorkRequest(1).send(), 0);
            case SENDS_THE_LARGEST -> post(new SendWorkRequest(1).send(), LARGEST);
            case SENDS_TOO_MUCH -> sendAnything(MANY);
            case IS_DEAF -> {
                memory.putLong(0, region.iova()).putInt(8, region.rkey()).putInt(12, 64);
                post(new SendWorkRequest(1).send(), 16);
            }
            case WRITES -> post(new SendWorkRequest(1).rdmaWrite(random.nextLong(), random.nextInt()), anyLength());
            case WRITES_WITH_IMMEDIATE ->
                post(
                        new SendWorkRequest(1)
                                .rdmaWriteWithImmediate(random.nextLong(), random.nextInt(), random.nextInt()),
                        random.nextBoolean() ? 0 : anyLength());
            case READS -> post(new SendWorkRequest(1).rdmaRead(random.nextLong(), random.nextInt()), anyLength());
            case ADDS -> post(new SendWorkRequest(1).fetchAndAdd(random.nextLong() & -8, random.nextInt(), 1), 8);
            case INVALIDATES -> post(new SendWorkRequest(1).sendWithInvalidate(random.nextInt()), anyLength());
            default -> {
                // Silence.
            }
        }
    }

    private int anyLength() {
        return 1 + random.nextInt(random.nextBoolean() ? SHORT : LARGEST);
    }

    private void sendAnything(int times) throws RdmaException {
        for (int i = 0; i < times; i++) {
            post(
                    random.nextBoolean()
                            ? new SendWorkRequest(1).send()
                            : new SendWorkRequest(1).sendWithImmediate(random.nextInt()),
                    random.nextInt(SHORT));
        }
    }

    private void post(SendWorkRequest request, int length) throws RdmaException {
        qp.postSend(request.add(region, 0, length).signaled());
    }

    /** True when the server may take the connection for established, and deals with what came of it. */
    boolean isEstablished() {
        return established;
    }

    @Override
    public void close() throws RdmaException {
        id.close();
        cq.close();
        pd.close();
        channel.close();
    }
}
