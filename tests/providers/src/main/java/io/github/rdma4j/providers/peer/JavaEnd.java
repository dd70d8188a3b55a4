// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.peer;

import static io.github.rdma4j.providers.peer.Messages.SLOT;
import static io.github.rdma4j.providers.peer.Messages.SLOTS;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QueuePairType;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** An end by the provider in Java. */
final class JavaEnd implements End {
    private static final int OUT = 0;
    private static final int IN = SLOTS * SLOT;
    private static final int TARGET = 2 * SLOTS * SLOT;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final boolean scatters;
    private final DeviceContext context;
    private final CompletionChannel channel;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final MemoryRegion region;
    private final @Nullable SharedReceiveQueue srq;
    private final QueuePair qp;
    private final ProtectionDomain pd;
    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(3 * SLOTS * SLOT).order(ByteOrder.nativeOrder());
    private final WorkCompletion[] one = WorkCompletion.array(1);
    private @Nullable AddressHandle way;
    private Place peer = new Place(0, 0, 0);

    JavaEnd(CardKernel kernel, QueuePairType type, boolean shared, boolean scatters) throws RdmaException {
        this.scatters = scatters;
        context = kernel.openDevice();
        pd = context.allocatePd();
        channel = context.createCompletionChannel();
        sends = context.createCq(2 * SLOTS);
        receives = context.createCq(2 * SLOTS, 0, channel);
        region = pd.registerMr(memory, EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));
        srq = shared
                ? pd.createSrq(SharedReceiveQueueOptions.builder()
                        .maxReceiveWr(SLOTS)
                        .maxReceiveSge(2)
                        .build())
                : null;
        QueuePairOptions.Builder options = QueuePairOptions.builder()
                .type(type)
                .sendCq(sends)
                .receiveCq(receives)
                .maxSendWr(SLOTS)
                .maxReceiveWr(SLOTS)
                .maxSendSge(2)
                .maxReceiveSge(scatters ? 2 : 1)
                .maxInline(Messages.INLINE);
        qp = pd.createQp((srq == null ? options : options.srq(srq)).build());
    }

    @Override
    public Place place() {
        return new Place(qp.qpn(), region.rkey(), region.iova() + TARGET);
    }

    @Override
    public void connect(Place to) throws RdmaException {
        peer = to;
        if (qp.type() == QueuePairType.UD) {
            way = pd.createAh(CardKernel.WAY);
            RawConnection.start(qp, Messages.QKEY);
        } else {
            RawConnection.connect(qp, to.qpn(), CardKernel.WAY);
        }
    }

    private static int slot(int area, int number) {
        return area + number % SLOTS * SLOT;
    }

    private void clear(int at) {
        memory.put(at, new byte[SLOT]);
    }

    @Override
    public void fill(Batch batch) {
        for (int number = batch.first(); number < batch.end(); number++) {
            int at = slot(TARGET, number);
            clear(at);
            if (batch.kind() == Kind.READ) {
                Messages.write(memory, at, batch.kind(), number);
            } else if (batch.kind().isAtomic()) {
                memory.putLong(at, Messages.word(number));
            }
        }
    }

    @Override
    public void receive(Batch batch) throws RdmaException {
        for (int number = batch.first(); number < batch.end(); number++) {
            int at = slot(IN, number);
            clear(at);
            ReceiveWorkRequest request =
                    new ReceiveWorkRequest(2).wrId(number).add(region, at, scatters ? Messages.FIRST_PIECE : SLOT);
            if (scatters) {
                request.add(region, at + Messages.FIRST_PIECE, SLOT - Messages.FIRST_PIECE);
            }
            if (srq != null) {
                srq.postReceive(request);
            } else {
                qp.postReceive(request);
            }
        }
    }

    @Override
    public void send(Batch batch) throws RdmaException {
        for (int number = batch.first(); number < batch.end(); number++) {
            qp.postSend(request(batch.kind(), number));
        }
    }

    private SendWorkRequest request(Kind kind, int number) {
        SendWorkRequest request = operation(new SendWorkRequest(2).wrId(number), kind, number);
        int at = slot(OUT, number);
        int length = Messages.length(kind, number);
        clear(at);
        if (!kind.fetches()) {
            Messages.write(memory, at, kind, number);
        }
        if (Messages.isInline(kind, number)) {
            request.inline(memory.slice(at, length));
        } else if (Messages.isInTwoPieces(kind, number) && (scatters || kind != Kind.READ)) {
            request.add(region, at, length / 2).add(region, at + length / 2, length - length / 2);
        } else {
            request.add(region, at, length);
        }
        if (way != null) {
            request.to(way, peer.qpn(), Messages.QKEY);
        }
        return Messages.isSignaled(number) ? request.signaled() : request;
    }

    private SendWorkRequest operation(SendWorkRequest request, Kind kind, int number) {
        long remote = peer.address() + slot(0, number);
        int key = peer.rkey();
        return switch (kind) {
            case SEND -> request.send();
            case SEND_WITH_IMMEDIATE -> request.sendWithImmediate(Messages.hash(number));
            case WRITE -> request.rdmaWrite(remote, key);
            case WRITE_WITH_IMMEDIATE -> request.rdmaWriteWithImmediate(remote, key, Messages.hash(number));
            case READ -> request.rdmaRead(remote, key);
            case FETCH_AND_ADD -> request.fetchAndAdd(remote, key, number);
            case COMPARE_AND_SWAP -> request.compareAndSwap(remote, key, Messages.expected(number), number);
        };
    }

    /** The next completion of {@code cq}, which has come or is about to. */
    private WorkCompletion next(CompletionQueue cq) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (cq.poll(one) == 0) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("no completion in " + LIMIT);
            }
            Thread.onSpinWait();
        }
        return one[0];
    }

    @Override
    public int sent(Batch batch) {
        int bad = 0;
        for (int number = batch.first(); number < batch.end(); number++) {
            if (Messages.isSignaled(number)) {
                WorkCompletion done = next(sends);
                boolean right = done.wrId() == number
                        && done.isSuccess()
                        && done.opcode() == batch.kind().completion()
                        && done.qpNumber() == qp.qpn();
                bad += right ? 0 : 1;
            }
        }
        for (int number = batch.first(); number < batch.end(); number++) {
            bad += hasFetched(batch.kind(), number) ? 0 : 1;
        }
        return bad;
    }

    private boolean hasFetched(Kind kind, int number) {
        int at = slot(OUT, number);
        if (kind.isAtomic()) {
            return memory.getLong(at) == Messages.word(number);
        }
        return kind != Kind.READ || Messages.isAt(memory, at, kind, number);
    }

    @Override
    public int received(Batch batch) {
        int bad = 0;
        for (int number = batch.first(); number < batch.end(); number++) {
            bad += isReceived(next(receives), batch.kind(), number) ? 0 : 1;
        }
        return bad;
    }

    private boolean isReceived(WorkCompletion done, Kind kind, int number) {
        boolean datagram = qp.type() == QueuePairType.UD;
        int header = datagram ? Grh.BYTES : 0;
        WorkCompletionOpcode opcode =
                kind.fillsReceive() ? WorkCompletionOpcode.RECV : WorkCompletionOpcode.RECV_RDMA_WITH_IMM;
        return done.wrId() == number
                && done.isSuccess()
                && done.opcode() == opcode
                && done.byteLength() == Messages.length(kind, number) + header
                && done.hasImmediate() == kind.hasImmediate()
                && (!kind.hasImmediate() || done.immediate() == Messages.hash(number))
                && (!datagram || (done.sourceQp() == peer.qpn() && done.hasGrh()))
                && (!kind.fillsReceive() || Messages.isAt(memory, slot(IN, number) + header, kind, number));
    }

    @Override
    public int verify(Batch batch) {
        int bad = 0;
        for (int number = batch.first(); number < batch.end(); number++) {
            bad += isTarget(batch.kind(), number) ? 0 : 1;
        }
        return bad;
    }

    private boolean isTarget(Kind kind, int number) {
        int at = slot(TARGET, number);
        return switch (kind) {
            case WRITE, WRITE_WITH_IMMEDIATE -> Messages.isAt(memory, at, kind, number);
            case FETCH_AND_ADD, COMPARE_AND_SWAP -> memory.getLong(at) == Messages.changed(kind, number);
            default -> true;
        };
    }

    @Override
    public void arm() throws RdmaException {
        receives.requestNotification(false);
    }

    @Override
    public void takeEvent() throws RdmaException, InterruptedException {
        if (channel.awaitEvent() != receives) {
            throw new IllegalStateException("an event of another queue");
        }
    }

    @Override
    public void close() throws RdmaException {
        context.close();
    }
}
