// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

import io.github.rdma4j.kernel.RdmaException;

/** A connection with queue pairs; both sides have one receive posted. */
record QpLink(Link link, RcEnd client, RcEnd server) {
    private static final int MOST_RETRIES = 7;

    /** Up to the reply that the client has fetched; its queue pair is ready and its RTU not sent. */
    static QpLink replied(Scene scene, int retries) throws RdmaException, InterruptedException {
        RcEnd client = RcEnd.open(scene);
        RcEnd server = RcEnd.open(scene);
        RawId listener = scene.listener();
        RawId active = scene.routedTo(listener);
        client.init(active);
        active.connect(client.param(1, 1, retries)).orFail("CONNECT");
        RawId passive = scene.request(listener);
        server.init(passive);
        server.receive();
        server.ready(passive);
        passive.accept(server.param(1, 1, retries)).orFail("ACCEPT");
        scene.expect(active, "CONNECT_RESPONSE");
        client.receive();
        client.ready(active);
        return new QpLink(new Link(listener, active, passive), client, server);
    }

    static QpLink replied(Scene scene) throws RdmaException, InterruptedException {
        return replied(scene, MOST_RETRIES);
    }

    static QpLink established(Scene scene, int retries) throws RdmaException, InterruptedException {
        QpLink made = replied(scene, retries);
        made.link.active().establish().orFail("ACCEPT without parameters");
        scene.expect(made.link.passive(), "ESTABLISHED");
        return made;
    }

    static QpLink established(Scene scene) throws RdmaException, InterruptedException {
        return established(scene, MOST_RETRIES);
    }

    RawId active() {
        return link.active();
    }

    RawId passive() {
        return link.passive();
    }
}
