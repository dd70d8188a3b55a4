// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.card.CardThread;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.RegistrationCache;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** A ConnectX in software, which runs in a separate thread. */
final class CardBed implements Bed {
    private static final EnumSet<Access> RIGHTS = EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);

    private final CardKernel model = new CardKernel(new Mlx5Settings());
    private final CardThread thread = CardThread.start(model.card());

    @Override
    public Kernel kernel() {
        return model.kernel();
    }

    @Override
    public String device() {
        return Mlx5Settings.DEVICE;
    }

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 7471);
    }

    @Override
    public List<Object> make() throws Exception {
        DeviceContext context = model.openDevice();
        List<Object> made = new ArrayList<>(List.of(context));
        try {
            made.addAll(verbs(context, CardKernel.WAY));
            return made;
        } catch (Exception e) {
            context.close();
            throw e;
        }
    }

    /** Objects of a context: queue pairs that are connected to each other, with and without a dispatcher. */
    static List<Object> verbs(DeviceContext context, AhAttr way) throws Exception {
        ProtectionDomain pd = context.allocatePd();
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue cq = context.createCq(128, 0, channel);
        QueuePairOptions options =
                QueuePairOptions.builder().cq(cq).maxSendSge(4).build();
        QueuePair client = pd.createQp(options);
        QueuePair server = pd.createQp(options);
        CompletionDispatcher dispatcher = CompletionDispatcher.open(
                context,
                DispatcherOptions.builder()
                        .completions(128)
                        .uncaught((thread, e) -> {})
                        .build());
        QueuePairOptions dispatched =
                options.toBuilder().cq(dispatcher.completionQueue()).build();
        QueuePair first = pd.createQp(dispatched);
        QueuePair second = pd.createQp(dispatched);
        RawConnection.connect(client, server, way);
        RawConnection.connect(first, second, way);
        RegisteredByteBufAllocator alloc = RegisteredByteBufAllocator.open(pd, RIGHTS, 1 << 14, 1 << 20);
        return List.of(
                pd,
                channel,
                cq,
                client,
                server,
                dispatcher,
                dispatcher.attach(first),
                dispatcher.attach(second),
                pd.registerMr(ByteBuffer.allocateDirect(4096), RIGHTS),
                alloc,
                RegistrationCache.open(pd, RIGHTS, 1 << 20));
    }

    @Override
    public String left() {
        List<String> complaints = model.complaints().stream()
                .filter(complaint -> !isOfAReset(complaint))
                .toList();
        boolean clean = model.descriptors() == 0
                && model.objects().isEmpty()
                && model.lockedPages() == 0
                && complaints.isEmpty();
        return clean
                ? ""
                : model.descriptors() + " descriptors, objects " + model.objects() + ", " + model.lockedPages()
                        + " pinned pages, complaints " + complaints;
    }

    /** A thread may ring for a queue pair that another thread is resetting; a device passes over the doorbell. */
    private static boolean isOfAReset(String complaint) {
        return complaint.endsWith("rung in state 0");
    }

    @Override
    public void close() {
        thread.close();
    }
}
