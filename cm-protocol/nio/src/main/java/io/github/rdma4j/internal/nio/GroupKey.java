// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.channels.MembershipKey;
import java.nio.channels.MulticastChannel;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The membership of a channel in a multicast group. */
final class GroupKey extends MembershipKey {
    private final UdpChannel channel;
    private final InetAddress group;
    private final NetworkInterface device;
    private final @Nullable InetAddress source;
    private final ReentrantLock lock = new ReentrantLock();

    /** The sources that are blocked. */
    private final Set<InetAddress> blocked = new HashSet<>();

    private volatile boolean valid = true;

    GroupKey(UdpChannel channel, InetAddress group, NetworkInterface device, @Nullable InetAddress source) {
        this.channel = channel;
        this.group = group;
        this.device = device;
        this.source = source;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    void invalidate() {
        valid = false;
    }

    @Override
    public void drop() {
        channel.stateLock().lock();
        try {
            channel.memberships().drop(this);
        } finally {
            channel.stateLock().unlock();
        }
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    public MembershipKey block(InetAddress address) throws IOException {
        checkTakesAll();
        lock.lock();
        try {
            if (!blocked.contains(address)) {
                change(address, true);
                blocked.add(address);
            }
            return this;
        } finally {
            lock.unlock();
        }
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    public MembershipKey unblock(InetAddress address) {
        lock.lock();
        try {
            if (!blocked.contains(address)) {
                throw new IllegalStateException("not blocked");
            }
            change(address, false);
            blocked.remove(address);
            return this;
        } catch (IOException e) {
            throw new AssertionError("unblocking a source that was blocked", e);
        } finally {
            lock.unlock();
        }
    }

    private void checkTakesAll() {
        if (source != null) {
            throw new IllegalStateException("key is source-specific");
        }
    }

    private void change(InetAddress address, boolean blocks) throws IOException {
        channel.stateLock().lock();
        try {
            channel.memberships().block(this, Objects.requireNonNull(address), blocks);
        } finally {
            channel.stateLock().unlock();
        }
    }

    @Override
    public MulticastChannel channel() {
        return channel;
    }

    @Override
    public InetAddress group() {
        return group;
    }

    @Override
    public NetworkInterface networkInterface() {
        return device;
    }

    @Override
    public @Nullable InetAddress sourceAddress() {
        return source;
    }

    @Override
    public String toString() {
        return "<" + group.getHostAddress() + "," + device.getName()
                + (source == null ? "" : "," + source.getHostAddress()) + ">";
    }
}
