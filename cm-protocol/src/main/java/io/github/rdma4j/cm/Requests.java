// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.cm.abi.EventReply;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Makes CM ids of the connect requests that a listener gets. Used under the listener's lock. */
final class Requests {
    private final CmId listener;

    /** Where the listener was before it migrated. Since Linux 5.10 the new id of a request is bound to that channel. */
    private final List<WeakReference<EventChannel>> left = new ArrayList<>();

    Requests(CmId listener) {
        this.listener = listener;
    }

    void mayStillBeOn(EventChannel channel) {
        left.removeIf(reference -> {
            EventChannel known = reference.get();
            return known == null || known.isClosed() || known == channel;
        });
        left.add(new WeakReference<>(channel));
    }

    /**
     * A request whose new id cannot be looked at is answered by its destruction: the peer sees a rejection, and the
     * listener a CONNECT_ERROR with the cause.
     */
    CmEvent process(EventReply reply, EventChannel from) {
        CmId child = CmId.requested(from, listener, EventChannel.newUid(), reply);
        try {
            learn(child, from, reply.id());
            from.adopt(child);
            return CmEvent.request(listener, child, reply);
        } catch (RdmaException e) {
            closeAfter(child, e);
            return CmEvent.of(listener, reply, CmEventType.CONNECT_ERROR, e);
        }
    }

    private static void closeAfter(CmId child, RdmaException failure) {
        try {
            child.close();
        } catch (RdmaException e) {
            failure.addSuppressed(e);
        }
    }

    /** EINVAL says that the new id is on another descriptor than the one that its request came through. */
    private void learn(CmId child, EventChannel from, int handle) throws RdmaException {
        try {
            child.learnRequest();
        } catch (ErrnoException e) {
            if (!e.errno().equals(Errno.EINVAL) || !fetch(from, handle)) {
                throw e;
            }
            child.learnRequest();
        }
    }

    private boolean fetch(EventChannel to, int handle) {
        for (WeakReference<EventChannel> reference : left) {
            EventChannel channel = reference.get();
            if (channel != null && !channel.isClosed() && isFetched(to, handle, channel)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFetched(EventChannel to, int handle, EventChannel from) {
        try {
            to.ucm().migrateId(handle, from.descriptor());
            return true;
        } catch (RdmaException | IllegalStateException notThere) {
            return false;
        }
    }
}
