// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.RegistrationCache;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import javax.management.JMException;
import javax.management.ObjectName;

/** Samples of the guide that are in none of the programs: compiled, and run where that needs no device. */
final class GuideSamples {
    private static final Duration limit = Duration.ofSeconds(30);

    private GuideSamples() {}

    /** A connection in memory; true when both sides were established. */
    static boolean connectsWithoutADevice() throws IOException, InterruptedException {
        ModelRdmaCm model = new ModelRdmaCm();
        LoopOptions options = LoopOptions.builder().kernel(model.kernel()).build();
        boolean established;
        try (CmEventLoop loop = CmEventLoop.open(options);
                CmListener listener = loop.listen(new InetSocketAddress(model.address(), 0))) {
            CompletableFuture<CmConnection> accepted = listener.nextRequest().thenCompose(CmRequest::accept);
            try (CmConnection client = loop.await(loop.connect(listener.address()), limit);
                    CmConnection server = loop.await(accepted, limit)) {
                established = !client.isClosed() && !server.isClosed();
            }
        }
        model.assertNothingLeft();
        return established;
    }

    static void devices() throws IOException {
        for (RdmaDevice device : RdmaDevices.list()) {
            System.out.println(device.name() + " " + device.protocol() + " " + device.driverName());
            try (DeviceContext context = DeviceContext.open(device.name())) {
                System.out.println(context.queryDevice());
                System.out.println(context.queryPort(1));
                System.out.println(context.queryGids());
            }
        }
    }

    static void queues(BlockingCmId id, ByteBuffer buffer) throws IOException, InterruptedException {
        QueuePairOptions options =
                QueuePairOptions.builder().maxSendWr(64).maxReceiveWr(64).build();
        try (CmQueues queues = id.queues().createOwn(options)) {
            MemoryRegion region = queues.pd().registerMr(buffer, EnumSet.of(Access.LOCAL_WRITE));
            queues.qp().postReceive(new ReceiveWorkRequest(1).wrId(1).add(region, 0, 64));
            id.connect(ConnectionParameters.DEFAULT, limit);

            WorkCompletion[] completions = WorkCompletion.array(16);
            int count = queues.await(completions, limit);
            for (int i = 0; i < count; i++) {
                WorkCompletion done = completions[i].requireSuccess();
                System.out.println(done.wrId() + ": " + done.byteLength() + " bytes");
            }
        }
    }

    static void byEvents(DeviceContext context) throws IOException, InterruptedException {
        try (CompletionChannel channel = context.createCompletionChannel();
                CompletionQueue cq = context.createCq(128, 0, channel)) {
            WorkCompletion[] completions = WorkCompletion.array(16);
            cq.requestNotification(false);
            int polled = cq.poll(completions);
            while (polled == 0) {
                if (channel.awaitEvent(limit).isEmpty()) {
                    throw new IOException("nothing completed in time");
                }
                cq.requestNotification(false);
                polled = cq.poll(completions);
            }
        }
    }

    static CompletableFuture<WorkCompletion> pooled(AsyncQueuePair qp, ProtectionDomain pd) throws IOException {
        RegisteredByteBufAllocator alloc = RegisteredByteBufAllocator.open(pd, EnumSet.of(Access.LOCAL_WRITE));
        ByteBuf into = alloc.directBuffer(4096);
        qp.receive(NettyMemory.add(new ReceiveWorkRequest(1), into), completion -> {
            into.writerIndex(completion.requireSuccess().byteLength());
            System.out.println(into.readLong());
        });
        into.release(); // the work request holds the buffer until the handler has returned
        ByteBuf message = alloc.directBuffer(8).writeLong(42);
        CompletableFuture<WorkCompletion> sent = qp.send(NettyMemory.add(new SendWorkRequest(1).send(), message));
        message.release();
        alloc.close(); // the memory goes when the last buffer is released
        return sent;
    }

    static void cached(AsyncQueuePair qp, RegistrationCache cache, ByteBuffer buffer) throws IOException {
        MemoryRegion region = cache.acquire(buffer);
        SendWorkRequest request = new SendWorkRequest(1).send().add(region, buffer.position(), buffer.remaining());
        qp.send(request, completion -> cache.release(region));
    }

    static void connect(BlockingCmId id, InetSocketAddress server) throws IOException, InterruptedException {
        try {
            id.resolveAddress(server, limit);
            id.resolveRoute(limit);
            id.createQp(QueuePairOptions.DEFAULT);
            id.connect(ConnectionParameters.DEFAULT, limit);
        } catch (CmTimeoutException e) {
            throw new IOException("no answer: wait again, or close the id", e);
        } catch (CmEventException e) {
            if (e.type() == CmEventType.REJECTED) {
                throw new IOException("the server is there and does not want us: status " + e.status(), e);
            }
            throw e;
        } catch (ErrnoException e) {
            if (e.errno().equals(Errno.ENOMEM)) {
                throw new IOException("raise the limit on pinned memory: ulimit -l", e);
            }
            throw e;
        }
    }

    /** A program of DiSNI, which runs on rdma4j. */
    static RdmaCmId byDisni(InetSocketAddress server) throws IOException {
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        RdmaCmId id = events.createId(RdmaCm.RDMA_PS_TCP);
        id.resolveAddr(null, server, 2000);
        return id;
    }

    /** A count of the connections' MBean, which is not there before the first connection. */
    static long count(ObjectName connections, String attribute) {
        try {
            return (Long) ManagementFactory.getPlatformMBeanServer().getAttribute(connections, attribute);
        } catch (JMException noConnectionYet) {
            return 0;
        }
    }
}
