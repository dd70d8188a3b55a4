// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.lab.semantics.raw.RawEvent;

/** A connection between the client's and the server's descriptor, without queue pairs. */
record Link(RawId listener, RawId active, RawId passive) {
    /** Up to the request that the server has fetched. */
    static Link requested(Trial trial) throws RdmaException, InterruptedException {
        RawId listener = trial.listener();
        RawId active = trial.routedTo(listener);
        active.connect(Trial.param()).orFail("CONNECT");
        return new Link(listener, active, trial.request(listener));
    }

    /** Up to the reply that the client has fetched: no RTU was sent. */
    static Link replied(Trial trial) throws RdmaException, InterruptedException {
        Link link = requested(trial);
        link.passive.accept(Trial.param()).orFail("ACCEPT");
        trial.expect(link.active, "CONNECT_RESPONSE");
        return link;
    }

    /** Established on both sides. */
    static Link established(Trial trial) throws RdmaException, InterruptedException {
        Link link = replied(trial);
        link.active.establish().orFail("ACCEPT without parameters");
        trial.expect(link.passive, "ESTABLISHED");
        return link;
    }

    /** The next event on either side. */
    RawEvent activeEvent(Trial trial) throws RdmaException, InterruptedException {
        return trial.event(active);
    }

    RawEvent passiveEvent(Trial trial) throws RdmaException, InterruptedException {
        return trial.event(passive);
    }
}
