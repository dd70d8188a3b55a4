// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.channels.MembershipKey;
import java.nio.channels.MulticastChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The multicast groups of a socket. All but {@link #check} with the channel's lock for its state. */
final class Memberships {
    private static final int BYTES_4 = 4;
    private static final int BYTES_6 = 16;

    /** Where {@code struct group_source_req} has its two addresses, and how long they are. */
    private static final int GROUP_AT = 8;

    private static final int STORAGE = 128;
    private static final int ADDRESS_AT = 8;

    private final MulticastChannel channel;
    private final ReentrantLock state;
    private final TcpSocket socket;
    private final List<GroupKey> keys = new ArrayList<>();

    /** The groups of {@code channel}, whose state has the lock {@code state}. */
    Memberships(MulticastChannel channel, ReentrantLock state, TcpSocket socket) {
        this.channel = channel;
        this.state = state;
        this.socket = socket;
    }

    /** The membership of the channel in a group. */
    private final class GroupKey extends MembershipKey {
        private final InetAddress group;
        private final NetworkInterface device;
        private final @Nullable InetAddress source;
        private final ReentrantLock lock = new ReentrantLock();

        /** The sources that are blocked. */
        private final Set<InetAddress> blocked = new HashSet<>();

        private volatile boolean valid = true;

        GroupKey(InetAddress group, NetworkInterface device, @Nullable InetAddress source) {
            this.group = group;
            this.device = device;
            this.source = source;
        }

        @Override
        public boolean isValid() {
            return valid;
        }

        @Override
        public void drop() {
            state.lock();
            try {
                leave(this);
            } finally {
                state.unlock();
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
            state.lock();
            try {
                setBlocked(this, Objects.requireNonNull(address), blocks);
            } finally {
                state.unlock();
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

    /** Refuses what is no group, and no source. */
    void check(InetAddress group, @Nullable InetAddress source) {
        if (!group.isMulticastAddress()) {
            throw new IllegalArgumentException("Group not a multicast address");
        }
        if (group instanceof Inet6Address && !socket.family().isIpv6()) {
            throw new IllegalArgumentException("Only IPv6 sockets can join IPv6 multicast group");
        }
        if (source != null) {
            checkSource(source, group);
        }
    }

    private static void checkSource(InetAddress source, InetAddress group) {
        if (source.isAnyLocalAddress()) {
            throw new IllegalArgumentException("Source address is a wildcard address");
        }
        if (source.isMulticastAddress()) {
            throw new IllegalArgumentException("Source address is multicast address");
        }
        if (source.getClass() != group.getClass()) {
            throw new IllegalArgumentException("Source address is different type to group");
        }
    }

    /** The membership that is there already, if it does not contradict what is asked for; null if there is none. */
    @Nullable
    GroupKey find(InetAddress group, NetworkInterface by, @Nullable InetAddress source) {
        for (GroupKey key : keys) {
            if (!key.group().equals(group) || !key.networkInterface().equals(by)) {
                continue;
            }
            InetAddress other = key.sourceAddress();
            if (source == null && other != null) {
                throw new IllegalStateException("Already a member to receive all packets");
            }
            if (source != null && other == null) {
                throw new IllegalStateException("Already have source-specific membership");
            }
            if (Objects.equals(source, other)) {
                return key;
            }
        }
        return null;
    }

    MembershipKey join(InetAddress group, NetworkInterface by, @Nullable InetAddress source) throws IOException {
        GroupKey known = find(group, by, source);
        if (known != null) {
            return known;
        }
        GroupKey key = new GroupKey(group, by, source);
        set(key, source, true, false);
        keys.add(key);
        return key;
    }

    private void leave(GroupKey key) {
        if (!key.isValid()) {
            return;
        }
        try {
            set(key, key.sourceAddress(), false, false);
        } catch (IOException e) {
            throw new AssertionError("leaving a group that was joined", e);
        }
        key.valid = false;
        keys.removeIf(other -> other == key);
    }

    /** Blocks a source of a group, or lets it in again. */
    private void setBlocked(GroupKey key, InetAddress source, boolean blocks) throws IOException {
        if (!key.isValid()) {
            throw new IllegalStateException("key is no longer valid");
        }
        checkSource(source, key.group());
        set(key, source, blocks, true);
    }

    void invalidateAll() {
        keys.forEach(key -> key.valid = false);
    }

    private void set(GroupKey key, @Nullable InetAddress source, boolean begin, boolean blocking) throws IOException {
        if (key.group() instanceof Inet4Address) {
            set4(key, source, begin, blocking);
        } else {
            set6(key, source, begin, blocking);
        }
    }

    private void set4(GroupKey key, @Nullable InetAddress source, boolean begin, boolean blocking) throws IOException {
        byte[] device = UdpOptions.inet4(key.networkInterface()).getAddress();
        int name;
        if (blocking) {
            name = begin ? SocketCalls.IP_BLOCK_SOURCE : SocketCalls.IP_UNBLOCK_SOURCE;
        } else if (source != null) {
            name = begin ? SocketCalls.IP_ADD_SOURCE_MEMBERSHIP : SocketCalls.IP_DROP_SOURCE_MEMBERSHIP;
        } else {
            name = begin ? SocketCalls.IP_ADD_MEMBERSHIP : SocketCalls.IP_DROP_MEMBERSHIP;
        }
        socket.setStruct(SocketCalls.IPPROTO_IP, name, struct -> {
            struct.put(0, key.group().getAddress());
            struct.put(BYTES_4, device);
            if (source == null) {
                return 2 * BYTES_4;
            }
            struct.put(2 * BYTES_4, source.getAddress());
            return 3 * BYTES_4;
        });
    }

    private void set6(GroupKey key, @Nullable InetAddress source, boolean begin, boolean blocking) throws IOException {
        int index = UdpOptions.index(key.networkInterface());
        if (source == null) {
            int name = begin ? SocketCalls.IPV6_JOIN_GROUP : SocketCalls.IPV6_LEAVE_GROUP;
            socket.setStruct(SocketCalls.IPPROTO_IPV6, name, struct -> {
                struct.put(0, key.group().getAddress());
                struct.putInt(BYTES_6, index);
                return BYTES_6 + Integer.BYTES;
            });
            return;
        }
        int name;
        if (blocking) {
            name = begin ? SocketCalls.MCAST_BLOCK_SOURCE : SocketCalls.MCAST_UNBLOCK_SOURCE;
        } else {
            name = begin ? SocketCalls.MCAST_JOIN_SOURCE_GROUP : SocketCalls.MCAST_LEAVE_SOURCE_GROUP;
        }
        socket.setStruct(SocketCalls.IPPROTO_IPV6, name, struct -> groupAndSource(struct, index, key.group(), source));
    }

    /** Writes {@code struct group_source_req}. */
    private static int groupAndSource(ByteBuffer struct, int index, InetAddress group, InetAddress source) {
        for (int i = 0; i < GROUP_AT + 2 * STORAGE; i++) {
            struct.put(i, (byte) 0);
        }
        struct.putInt(0, index);
        struct.putShort(GROUP_AT, (short) SocketCalls.AF_INET6);
        struct.put(GROUP_AT + ADDRESS_AT, group.getAddress());
        struct.putShort(GROUP_AT + STORAGE, (short) SocketCalls.AF_INET6);
        struct.put(GROUP_AT + STORAGE + ADDRESS_AT, source.getAddress());
        return GROUP_AT + 2 * STORAGE;
    }
}
