// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.suite;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.Access;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.Grh;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;

/**
 * One side of {@code ib_send_bw -c UD} in Java, in a process that stays, as {@link PerfSide} does for connections: a turn for each line of
 * standard input. The receiver takes what comes until the next line, because datagrams may be lost.
 */
public final class DatagramSide {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int RECEIVES = 512;

    /** A completion for each so many messages, as in perftest. */
    private static final int MODERATION = 100;

    private static final int SPEC = 4;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final InetSocketAddress address;
    private final PerfSpec spec;
    private final WorkCompletion[] completions = WorkCompletion.array(RECEIVES);

    private DatagramSide(InetSocketAddress address, PerfSpec spec) {
        this.address = address;
        this.spec = spec;
    }

    /** Arguments: those of {@link PerfSide}; the iterations of the warm-up are of no use here. */
    public static void main(String[] arguments) throws RdmaException, InterruptedException, IOException {
        List<String> words = List.of(arguments);
        InetSocketAddress address = new InetSocketAddress(words.get(1), Integer.parseInt(words.get(2)));
        DatagramSide side = new DatagramSide(address, PerfSpec.ofArguments(words.subList(SPEC, words.size())));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String turn = input.readLine(); turn != null; turn = input.readLine()) {
            if (words.get(0).equals("client")) {
                side.send(turn);
            } else {
                side.receive(turn, input);
            }
        }
    }

    private QueuePairOptions queues() {
        return QueuePairOptions.builder()
                .maxSendWr(PerfSpec.WINDOW)
                .maxReceiveWr(RECEIVES)
                .build();
    }

    // ---- sender

    private void send(String turn) throws RdmaException, InterruptedException {
        try (BlockingCmId id = BlockingCmId.create(PortSpace.UDP)) {
            id.resolveAddress(address, LIMIT);
            id.resolveRoute(LIMIT);
            QueuePair qp = id.id().createQp(queues());
            DatagramPeer peer = id.connect(ConnectionParameters.DEFAULT, LIMIT)
                    .datagramPeer()
                    .orElseThrow();
            ByteBuffer memory = ByteBuffer.allocateDirect(spec.size());
            try (MemoryRegion region = id.id().pd().registerMr(memory, EnumSet.of(Access.LOCAL_WRITE));
                    AddressHandle ah = id.id().pd().createAh(peer.ahAttr())) {
                SendWorkRequest request = new SendWorkRequest(1)
                        .send()
                        .to(ah, peer.qpn(), peer.qkey())
                        .add(region, 0, spec.size());
                long before = THREADS.getCurrentThreadAllocatedBytes();
                long nanos = send(qp, id.id().sendCq().orElseThrow(), request);
                long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
                System.out.println("rate " + turn + " " + spec.iterations() * NANOS_PER_MICRO / nanos);
                System.out.println("bytes " + turn + " " + (double) bytes / spec.iterations());
                System.out.println("end " + turn);
            }
        }
    }

    /** Nanoseconds from the first post to the last completion. */
    private long send(QueuePair qp, CompletionQueue sends, SendWorkRequest request) throws RdmaException {
        long start = System.nanoTime();
        int sent = 0;
        int done = 0;
        while (done < spec.iterations()) {
            while (sent < spec.iterations() && sent - done < PerfSpec.WINDOW) {
                boolean completes = sent % MODERATION == MODERATION - 1 || sent == spec.iterations() - 1;
                request.wrId(sent);
                qp.postSend(completes ? request.signaled() : request.unsignaled());
                sent++;
            }
            int polled = sends.poll(completions);
            for (int i = 0; i < polled; i++) {
                done = (int) successful(completions[i]).wrId() + 1;
            }
        }
        return System.nanoTime() - start;
    }

    // ---- receiver

    private void receive(String turn, BufferedReader input) throws RdmaException, InterruptedException, IOException {
        try (BlockingCmId listener = BlockingCmId.create(PortSpace.UDP)) {
            listener.bind(address);
            listener.listen(1);
            System.out.println("listening " + turn);
            try (BlockingCmId id = listener.getRequest(LIMIT)) {
                QueuePair qp = id.id().createQp(queues());
                ByteBuffer memory = ByteBuffer.allocateDirect(Grh.BYTES + spec.size());
                try (MemoryRegion region = id.id().pd().registerMr(memory, EnumSet.of(Access.LOCAL_WRITE))) {
                    ReceiveWorkRequest request = new ReceiveWorkRequest(1).add(region, 0, Grh.BYTES + spec.size());
                    for (int i = 0; i < RECEIVES; i++) {
                        qp.postReceive(request);
                    }
                    id.accept(ConnectionParameters.DEFAULT, LIMIT);
                    receive(qp, id.id().receiveCq().orElseThrow(), request, input);
                }
            }
        }
        System.out.println("stopped " + turn);
    }

    /** Until there is a line, which it reads. */
    private void receive(QueuePair qp, CompletionQueue receives, ReceiveWorkRequest request, BufferedReader input)
            throws RdmaException, IOException {
        for (int empty = 0; empty < RECEIVES || !input.ready(); ) {
            int polled = receives.poll(completions);
            for (int i = 0; i < polled; i++) {
                successful(completions[i]);
                qp.postReceive(request);
            }
            empty = polled > 0 || empty == RECEIVES ? 0 : empty + 1;
        }
        input.readLine();
    }

    private static WorkCompletion successful(WorkCompletion completion) throws RdmaException {
        if (!completion.isSuccess()) {
            throw new WorkCompletionException(completion);
        }
        return completion;
    }
}
