// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.semantics.raw.RawEvent;

/** A connection between the client's and the server's descriptor, without queue pairs. */
record Link(RawId listener, RawId active, RawId passive) {
    /** Up to the request that the server has fetched. */
    static Link requested(Scene scene) throws RdmaException, InterruptedException {
        RawId listener = scene.listener();
        RawId active = scene.routedTo(listener);
        active.connect(Scene.param()).orFail("CONNECT");
        return new Link(listener, active, scene.request(listener));
    }

    /** Up to the reply that the client has fetched: no RTU was sent. */
    static Link replied(Scene scene) throws RdmaException, InterruptedException {
        Link link = requested(scene);
        link.passive.accept(Scene.param()).orFail("ACCEPT");
        scene.expect(link.active, "CONNECT_RESPONSE");
        return link;
    }

    /** Established on both sides. */
    static Link established(Scene scene) throws RdmaException, InterruptedException {
        Link link = replied(scene);
        link.active.establish().orFail("ACCEPT without parameters");
        scene.expect(link.passive, "ESTABLISHED");
        return link;
    }

    /** The next event on either side. */
    RawEvent activeEvent(Scene scene) throws RdmaException, InterruptedException {
        return scene.event(active);
    }

    RawEvent passiveEvent(Scene scene) throws RdmaException, InterruptedException {
        return scene.event(passive);
    }
}
