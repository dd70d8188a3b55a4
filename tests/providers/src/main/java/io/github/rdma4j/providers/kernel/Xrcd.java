// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardQp;
import io.github.rdma4j.providers.card.Mlx5Rings;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An XRC domain of the device, which several processes may have open, and its target queue pairs, which they may share. */
final class Xrcd {
    private final Hca hca;
    private final int number;
    private final @Nullable Object inode;
    private final Map<Integer, Target> targets = new TreeMap<>();
    private int opened;

    /** A target queue pair: it is there until all who have it open have closed it. */
    static final class Target {
        private final Xrcd xrcd;
        private final CardQp qp;
        private final ByteBuffer attributes = QueueObject.Qp.noAttributes();
        private int opened;

        private Target(Xrcd xrcd, CardQp qp) {
            this.xrcd = xrcd;
            this.qp = qp;
        }

        CardQp qp() {
            return qp;
        }

        ByteBuffer attributes() {
            return attributes;
        }

        Target open() {
            opened++;
            return this;
        }

        void close() {
            opened--;
            if (opened == 0) {
                xrcd.targets.remove(qp.qpn());
                xrcd.hca.card().destroyQp(qp);
            }
        }
    }

    private Xrcd(Hca hca, @Nullable Object inode) {
        this.hca = hca;
        this.number = hca.newNumber();
        this.inode = inode;
    }

    /**
     * Opens the domain of an inode as OPEN_XRCD does, or a new one without an inode.
     *
     * @param create {@code O_CREAT}
     * @param exclusive {@code O_EXCL}
     */
    static Xrcd open(Hca hca, @Nullable Object inode, boolean create, boolean exclusive) throws Refusal {
        Xrcd found = inode == null ? null : hca.xrcds().get(inode);
        Refusal.unless(inode == null || found != null || create, Errno.EAGAIN);
        Refusal.unless(found == null || !exclusive, Errno.EINVAL);
        Xrcd xrcd = found == null ? new Xrcd(hca, inode) : found;
        if (inode != null) {
            hca.xrcds().put(inode, xrcd);
        }
        xrcd.opened++;
        return xrcd;
    }

    int number() {
        return number;
    }

    void close() {
        opened--;
        if (opened == 0 && inode != null) {
            hca.xrcds().remove(inode);
        }
    }

    Target makeTarget() {
        CardQp qp = hca.card().createQp(Mlx5Rings.target(hca.settings().targetNumber(hca.newNumber()), number));
        Target target = new Target(this, qp);
        targets.put(qp.qpn(), target);
        return target.open();
    }

    Target openTarget(int qpn) throws Refusal {
        Target target = targets.get(qpn);
        if (target == null) {
            throw new Refusal(Errno.EINVAL);
        }
        return target.open();
    }

    /** An XRC domain that a process has open. */
    static final class Opened extends KernelObject {
        private final Xrcd xrcd;

        Opened(Xrcd xrcd) {
            super("xrcd", List.of());
            this.xrcd = xrcd;
        }

        Xrcd xrcd() {
            return xrcd;
        }

        @Override
        void release() {
            xrcd.close();
        }
    }
}
