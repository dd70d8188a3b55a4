// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.internal.fd.Waiter;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A simulated connection manager. */
final class ModelBed implements Bed {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final ModelRdmaCm model = new ModelRdmaCm();
    private final AtomicInteger ports = new AtomicInteger(10_000);

    @Override
    public Kernel kernel() {
        return model.kernel();
    }

    @Override
    public String device() {
        return "connection manager";
    }

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress(model.address(), ports.incrementAndGet());
    }

    @Override
    public List<Object> make() throws Exception {
        return connections(kernel(), address());
    }

    /** A loop with a connection to itself, a channel, and an id. */
    static List<Object> connections(Kernel kernel, InetSocketAddress address) throws Exception {
        List<Object> made = new ArrayList<>();
        try {
            CmEventLoop loop = CmEventLoop.open(LoopOptions.builder()
                    .kernel(kernel)
                    .uncaught((thread, e) -> {})
                    .build());
            made.add(loop);
            CmListener listener = loop.listen(address, request -> {
                CompletableFuture<CmConnection> unused = request.accept();
            });
            made.add(listener);
            made.add(loop.await(
                    loop.connect(
                            address, ConnectOptions.builder().timeout(LIMIT).build()),
                    LIMIT));
            EventChannel channel = EventChannel.open(kernel);
            made.add(channel);
            made.add(channel.createId(PortSpace.TCP));
            made.add(BlockingCmId.create(kernel, PortSpace.TCP));
            made.add(Waiter.open(kernel));
            return made;
        } catch (Exception e) {
            for (Object each : made) {
                ((AutoCloseable) each).close();
            }
            throw e;
        }
    }

    @Override
    public String left() {
        boolean nothing = model.ids() == 0
                && model.descriptors() == 0
                && model.verbsObjects().isEmpty();
        return nothing ? "" : model.ids() + " ids, " + model.descriptors() + " descriptors, " + model.verbsObjects();
    }
}
