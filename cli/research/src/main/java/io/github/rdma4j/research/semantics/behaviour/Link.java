// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.kernel.RawEvent;
import io.github.rdma4j.research.semantics.kernel.RawId;

/** A connection between the client's and the server's descriptor, without queue pairs. */
record Link(RawId listener, RawId active, RawId passive) {
    /** Up to the request that the server has fetched. */
    static Link requested(Trial trial) throws RdmaException, InterruptedException {
        RawId listener = trial.listener();
        return requested(trial, listener, trial.connecting(listener));
    }

    private static Link requested(Trial trial, RawId listener, RawId active)
            throws RdmaException, InterruptedException {
        return new Link(listener, active, trial.request(listener));
    }

    /** Up to the reply that the client has fetched: no RTU was sent. */
    static Link replied(Trial trial) throws RdmaException, InterruptedException {
        return requested(trial).reply(trial);
    }

    /** Established on both sides. */
    static Link established(Trial trial) throws RdmaException, InterruptedException {
        return replied(trial).establish(trial);
    }

    /** Established on both sides by an id that has sent its request. */
    static Link established(Trial trial, RawId listener, RawId active) throws RdmaException, InterruptedException {
        return requested(trial, listener, active).reply(trial).establish(trial);
    }

    private Link reply(Trial trial) throws RdmaException, InterruptedException {
        passive.accept(Trial.param()).orFail("ACCEPT");
        trial.expect(active, "CONNECT_RESPONSE");
        return this;
    }

    /** Sends the RTU. */
    Link establish(Trial trial) throws RdmaException, InterruptedException {
        active.establish().orFail("ACCEPT without parameters");
        trial.expect(passive, "ESTABLISHED");
        return this;
    }

    /** The next event on either side. */
    RawEvent activeEvent(Trial trial) throws RdmaException, InterruptedException {
        return trial.event(active);
    }

    RawEvent passiveEvent(Trial trial) throws RdmaException, InterruptedException {
        return trial.event(passive);
    }
}
