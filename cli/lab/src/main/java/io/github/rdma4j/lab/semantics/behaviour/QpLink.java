// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import io.github.rdma4j.kernel.RdmaException;

/** A connection with queue pairs; both sides have one receive posted. */
record QpLink(Link link, RcEnd client, RcEnd server) {
    private static final int MOST_RETRIES = 7;

    /** Up to the reply that the client has fetched; its queue pair is ready and its RTU not sent. */
    static QpLink replied(Trial trial, int retries) throws RdmaException, InterruptedException {
        RcEnd client = RcEnd.open(trial);
        RcEnd server = RcEnd.open(trial);
        RawId listener = trial.listener();
        RawId active = trial.routedTo(listener);
        client.init(active);
        active.connect(client.param(1, 1, retries)).orFail("CONNECT");
        RawId passive = trial.request(listener);
        server.init(passive);
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
        made.link.active().establish().orFail("ACCEPT without parameters");
        trial.expect(made.link.passive(), "ESTABLISHED");
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
