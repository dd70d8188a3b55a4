// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.ProtectionDomain;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The echo server whose connections share what they can: an event loop, and on each device a dispatcher whose handlers
 * run on the loop, an allocator of registered Netty buffers and, while there are connections, a shared receive queue.
 * All of it runs on the loop's thread.
 */
final class PooledEchoService implements Service {

    private final int port;
    private final Violations violations;
    private final Map<ProtectionDomain, EchoPool> pools = new HashMap<>();

    PooledEchoService(int port, Violations violations) {
        this.port = port;
        this.violations = violations;
    }

    @Override
    public void start() throws RdmaException {
        CmEventLoop loop = CmEventLoop.open();
        loop.listen(new InetSocketAddress(port), request -> accept(loop, request));
        violations.watch(loop);
    }

    private void accept(CmEventLoop loop, CmRequest request) {
        ConnectOptions options = ConnectOptions.builder()
                .timeout(EchoEnd.STEP)
                .parameters(EchoEnd.PATIENT)
                .queuePair(id -> pool(loop, id).queuePair())
                .prepare(connection -> pool(loop, connection.id()).join(connection))
                .build();
        var unused = request.accept(options).whenComplete(PooledEchoService::accepted);
    }

    private static void accepted(@Nullable CmConnection connection, @Nullable Throwable failure) {
        if (connection == null) {
            Log.say("pooled echo: not accepted: ", failure);
        }
    }

    /** The pool of the id's device; another one after the device was removed. */
    private EchoPool pool(CmEventLoop loop, CmId id) throws RdmaException {
        pools.values().removeIf(EchoPool::isOver);
        EchoPool pool = pools.get(id.pd());
        if (pool == null) {
            pool = EchoPool.open(loop, id, violations);
            pools.put(id.pd(), pool);
        }
        return pool;
    }
}
