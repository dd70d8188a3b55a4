// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.conformance.behaviour;

import io.github.rdma4j.kernel.RdmaException;

/** A connection with queue pairs; both sides have one receive posted. */
record QpLink(Link link, RcEnd client, RcEnd server) {
    /** Up to the reply that the client has fetched; its queue pair is ready and its RTU not sent. */
    static QpLink replied(Scene scene, int resources, int depth) throws RdmaException, InterruptedException {
        RcEnd client = RcEnd.open(scene);
        RcEnd server = RcEnd.open(scene);
        RawId listener = scene.listener();
        RawId active = scene.routedTo(listener);
        client.init(active);
        active.connect(client.param(resources, depth)).orFail("CONNECT");
        RawId passive = scene.request(listener);
        server.init(passive);
        server.receive();
        server.ready(passive);
        passive.accept(server.param(depth, resources)).orFail("ACCEPT");
        scene.expect(active, "CONNECT_RESPONSE");
        client.receive();
        client.ready(active);
        return new QpLink(new Link(listener, active, passive), client, server);
    }

    static QpLink established(Scene scene, int resources, int depth) throws RdmaException, InterruptedException {
        QpLink made = replied(scene, resources, depth);
        made.link.active().establish().orFail("ACCEPT without parameters");
        scene.expect(made.link.passive(), "ESTABLISHED");
        return made;
    }

    static QpLink established(Scene scene) throws RdmaException, InterruptedException {
        return established(scene, 1, 1);
    }

    RawId active() {
        return link.active();
    }

    RawId passive() {
        return link.passive();
    }
}
