// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresTwoNodes;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.testbed.junit.RequiresKernel;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reliable connections at full rate while the Ethernet between two kernels loses, repeats, reorders and corrupts frames: every
 * byte is verified at both ends, and every request completes once and in order. {@code -Drdma4j.load.requests} makes it longer.
 * Soft-RoCE of Linux 6.1 and 6.12 breaks connections on such a wire and places packets twice, see {@code docs/under-faults.md}.
 */
@RequiresTwoNodes
@RequiresKernel("7.2")
class DisturbedWireKernelIT {
    private static final int REQUESTS = Integer.getInteger("rdma4j.load.requests", 200);
    private static final int PORT = 18_515;
    private static final String SHARED = "shared";

    /** 4 ms: what is lost is sent again soon. */
    private static final int ACK_TIMEOUT = 10;

    /** 0.64 ms, until a receiver that was not ready is asked again. */
    private static final int RNR_TIMER = 12;

    private static final Loopback.Setup SETUP = Loopback.setup()
            .bytes(VerifiedStream.BUFFER_BYTES)
            .cqEntries(VerifiedStream.CQ_ENTRIES)
            .qp(options -> options.maxSendWr(VerifiedStream.WINDOW).maxReceiveWr(VerifiedStream.RECEIVES));

    private static ConnectionParameters parameters(byte[] privateData) {
        return ConnectionParameters.builder()
                .retryCount(7)
                .rnrRetryCount(7)
                .privateData(privateData)
                .build();
    }

    /** The program on the second node. */
    static final class Receiver {
        private Receiver() {}

        public static void main(String[] arguments) throws Exception {
            try (EventChannel channel = EventChannel.open()) {
                CmId listener = channel.createId(PortSpace.TCP);
                listener.bind(new InetSocketAddress(SecondNode.ADDRESS, PORT));
                listener.listen(1);
                System.out.println("listening");
                CmId id;
                try (CmEvent request = Events.expect(channel, CmEventType.CONNECT_REQUEST)) {
                    id = request.id();
                }
                id.settings().ackTimeout(ACK_TIMEOUT);
                receive(
                        channel,
                        id,
                        VerifiedStream.messages(Long.parseLong(arguments[0])),
                        arguments[1].equals(SHARED));
            }
        }

        private static void receive(EventChannel channel, CmId id, long messages, boolean shared) throws Exception {
            SharedQueue queue = new SharedQueue();
            try (Loopback.Side side = shared
                    ? new Loopback.Side(channel, id, SETUP, (pd, options) -> queue.create(id, pd, options))
                    : new Loopback.Side(channel, id, SETUP)) {
                VerifiedStream stream = shared ? new VerifiedStream(side, queue::post) : new VerifiedStream(side);
                stream.offer();
                stream.postReceives();
                id.accept(parameters(ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                        .putLong(side.region().iova() + VerifiedStream.OFFERED)
                        .putInt(side.region().rkey())
                        .array()));
                Events.expect(channel, CmEventType.ESTABLISHED);
                side.qp().modify(QpAttr.builder().minRnrTimer(RNR_TIMER).build());
                System.out.println("connected");
                stream.receive(messages);
                System.out.println("verified " + messages);
                Events.expect(channel, CmEventType.DISCONNECTED);
            }
        }
    }

    /** A shared receive queue, made together with the queue pair that takes from it. */
    private static final class SharedQueue {
        private @Nullable SharedReceiveQueue srq;

        QueuePair create(CmId id, ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
            srq = pd.createSrq(SharedReceiveQueueOptions.builder()
                    .maxReceiveWr(VerifiedStream.RECEIVES)
                    .build());
            return id.createQp(pd, options.toBuilder().srq(srq).build());
        }

        void post(ReceiveWorkRequest request) throws RdmaException {
            Objects.requireNonNull(srq).postReceive(request);
        }
    }

    @Nightly
    @ParameterizedTest
    @ValueSource(strings = {"loss 5%", "duplicate 20%", "delay 1ms reorder 25% 50%", "corrupt 5%"})
    void losesAndRepeatsNothingWhateverTheDisturbance(String netem) throws Exception {
        losesAndRepeatsNothing(netem);
    }

    @ParameterizedTest
    @ValueSource(strings = "loss 2% duplicate 5% corrupt 2% delay 1ms reorder 10%")
    void losesAndRepeatsNothing(String netem) throws Exception {
        sendThrough(netem, "own");
    }

    @ParameterizedTest
    @ValueSource(strings = "loss 5%")
    void losesAndRepeatsNothingOnASharedReceiveQueue(String netem) throws Exception {
        sendThrough(netem, SHARED);
    }

    private static void sendThrough(String netem, String queue) throws Exception {
        try (Program receiver = SecondNode.start(Program.java(Receiver.class, Integer.toString(REQUESTS), queue));
                EventChannel channel = EventChannel.open()) {
            receiver.awaitOutput("listening");
            CmId id = Loopback.routed(channel, new InetSocketAddress(SecondNode.ADDRESS, PORT));
            id.settings().ackTimeout(ACK_TIMEOUT);
            try (Loopback.Side side = new Loopback.Side(channel, id, SETUP)) {
                id.connect(parameters(new byte[0]));
                ByteBuffer offer = ByteBuffer.wrap(
                        Events.expect(channel, CmEventType.ESTABLISHED).privateData());
                receiver.awaitOutput("connected");
                long before = SecondNode.disorder();
                SecondNode.disturb(netem);
                try {
                    new VerifiedStream(side).send(REQUESTS, offer.getLong(0), offer.getInt(Long.BYTES));
                } catch (AssertionError | Exception e) {
                    throw new AssertionError("the receiver: " + receiver, e);
                } finally {
                    SecondNode.calm();
                }
                assertThat(SecondNode.disorder()).as("the fault was there").isGreaterThan(before);
                receiver.awaitOutput("verified " + VerifiedStream.messages(REQUESTS));
                id.disconnect();
            }
            receiver.success();
        }
    }
}
