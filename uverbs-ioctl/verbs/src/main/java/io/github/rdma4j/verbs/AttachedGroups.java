// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.uverbs.QpCommands.AttachMcast;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** The multicast groups of one queue pair. The kernel does not destroy a queue pair that is attached to a group. */
final class AttachedGroups {
    private final ControlPath control;

    /** Keeps {@link #attached} consistent with the kernel. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<Gid, AttachMcast> attached = new LinkedHashMap<>();

    AttachedGroups(ControlPath control) {
        this.control = control;
    }

    void attach(AttachMcast group) throws ErrnoException {
        lock.lock();
        try {
            refuseOtherLid(group);
            control.attachMulticast(group);
            attached.put(group.gid(), group);
        } catch (ErrnoException e) {
            throw new ErrnoException(e.operation() + " to " + group.gid(), e.errno(), adviceForAttach(e.errno()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Rejects a second local identifier for a group. The kernel counts a group once for each local identifier, but a
     * driver that ignores the identifier, such as rxe of Linux 6.1, detaches only once. The queue pair could then never
     * be destroyed.
     */
    private void refuseOtherLid(AttachMcast group) {
        AttachMcast known = attached.get(group.gid());
        if (known != null && known.mlid() != group.mlid()) {
            throw new IllegalArgumentException("the queue pair is already attached to " + group.gid()
                    + " with local identifier " + known.mlid() + ": detach it first, or use the same identifier");
        }
    }

    private static String adviceForAttach(Errno errno) {
        if (errno.equals(Errno.EINVAL)) {
            return "The GID is not a multicast GID (ff00::/8 or ::ffff:224.0.0.0 to ::ffff:239.255.255.255), or the"
                    + " device does not accept it";
        }
        if (errno.equals(Errno.ENOMEM)) {
            return "The group has as many queue pairs as the device allows, or the device has no room for another"
                    + " group: see maxMcastQpAttach and maxMcastGrp of queryDevice()";
        }
        return "";
    }

    void detach(AttachMcast group) throws ErrnoException {
        lock.lock();
        try {
            control.detachMulticast(group);
            attached.remove(group.gid());
        } catch (ErrnoException e) {
            String advice = e.errno().equals(Errno.EINVAL) ? "The queue pair is not attached to the group" : "";
            throw new ErrnoException(e.operation() + " from " + group.gid(), e.errno(), advice);
        } finally {
            lock.unlock();
        }
    }

    /** Detaches from all groups. Tries each of them and throws the first failure. */
    void detachAll() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        for (AttachMcast group : List.copyOf(attached.values())) {
            failure.attempt(() -> detach(group));
        }
        failure.throwIfAny();
    }
}
