// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.semantics.guest.Rxe;
import io.github.rdma4j.semantics.raw.RawCm;
import io.github.rdma4j.semantics.raw.RawEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows that no event follows, without waiting for a time to pass: a second id on the same descriptor finds its address
 * and route and is refused by a port that nobody listens on. Its events come by the same work queues of the kernel and,
 * on a descriptor, in order; so what had to be said of anything before has been said when the refusal is there.
 */
final class Fence {
    private static final int UNUSED_PORT = 1;

    private Fence() {}

    /** The events of others that come before the refusal. */
    static List<RawEvent> before(Scene scene, RawCm cm) throws RdmaException, InterruptedException {
        List<RawEvent> others = new ArrayList<>();
        RawId own = scene.tcp(cm);
        own.resolveAddr(Net.address(Rxe.IPV4, UNUSED_PORT)).orFail("RESOLVE_ADDR of the fence");
        await(scene, own, "ADDR_RESOLVED", others);
        own.resolveRoute().orFail("RESOLVE_ROUTE of the fence");
        await(scene, own, "ROUTE_RESOLVED", others);
        own.connect(Scene.param()).orFail("CONNECT of the fence");
        await(scene, own, "REJECTED", others);
        own.destroy().orFail("DESTROY of the fence");
        return others;
    }

    private static void await(Scene scene, RawId own, String name, List<RawEvent> others)
            throws RdmaException, InterruptedException {
        RawEvent event = scene.event(own);
        while (event.uid() != own.uid()) {
            others.add(event);
            event = scene.event(own);
        }
        if (!event.name().equals(name)) {
            throw new AssertionError("the fence met " + event + " instead of " + name);
        }
    }
}
