// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.kernel.RawId;

/** A connection with queue pairs; both sides have one receive posted. */
record QpLink(Link link, QpEnd client, QpEnd server) {
    private static final int MOST_RETRIES = 7;

    /** Up to the reply that the client has fetched; its queue pair is ready and its RTU not sent. */
    static QpLink replied(Trial trial, int retries) throws RdmaException, InterruptedException {
        QpEnd client = QpEnd.connected(trial);
        QpEnd server = QpEnd.connected(trial);
        RawId listener = trial.listener();
        RawId active = trial.routedTo(listener);
        client.move(active, RawId.INIT);
        active.connect(client.param(1, 1, retries)).orFail("CONNECT");
        RawId passive = trial.request(listener);
        server.move(passive, RawId.INIT);
        server.receive();
        server.ready(passive);
        passive.accept(server.param(1, 1, retries)).orFail("ACCEPT");
        trial.expect(active, "CONNECT_RESPONSE");
        client.receive();
        client.ready(active);
        return new QpLink(new Link(listener, active, passive), client, server);
    }

    static QpLink replied(Trial trial) throws RdmaException, InterruptedException {
        return replied(trial, MOST_RETRIES);
    }

    static QpLink established(Trial trial, int retries) throws RdmaException, InterruptedException {
        QpLink made = replied(trial, retries);
        made.link.establish(trial);
        return made;
    }

    static QpLink established(Trial trial) throws RdmaException, InterruptedException {
        return established(trial, MOST_RETRIES);
    }

    RawId active() {
        return link.active();
    }

    RawId passive() {
        return link.passive();
    }
}
