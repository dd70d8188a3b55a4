// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import io.github.rdma4j.internal.ucm.Query.QueryGidReply;
import io.github.rdma4j.verbs.attr.Gid;

/** The GIDs of an id, as QUERY GID gives them. */
record Gids(Gid sgid, Gid dgid) {
    static Gids of(RawId id) {
        QueryGidReply reply = QueryGidReply.decode(
                id.cm().queryGid(id.handle()).orFail("QUERY GID").buffer(), 0);
        return new Gids(reply.sgid(), reply.dgid());
    }

    boolean sgidIs(String host) {
        return sgid.equals(Gid.of(Net.address(host, 0).getAddress()));
    }

    boolean dgidIs(String host) {
        return dgid.equals(Gid.of(Net.address(host, 0).getAddress()));
    }
}
