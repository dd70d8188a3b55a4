// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.Card;
import io.github.rdma4j.providers.card.CardCq;
import io.github.rdma4j.providers.card.CardEvents;
import io.github.rdma4j.providers.card.CardQp;
import io.github.rdma4j.providers.card.CardSrq;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;

/** The device as the driver in the kernel has it: numbers, limits, faults, and whom its events are for. */
final class Hca implements CardEvents {
    static final String NODE = "uverbs0";
    static final long NODE_NUMBER = 231L << 8 | 192;
    static final long NODE_GUID = 0x5054_00ff_fe12_3456L;
    static final int PORT = 1;
    static final int VECTORS = 4;

    static final int GID_BYTES = 16;

    private final CardSettings<?> settings;
    private final Memory memory;
    private final Card card;
    private final ToIntFunction<OpenFile> descriptors;
    private final Runnable wakeWaiters;
    private final Map<KernelCommand, Deque<Errno>> faults = new EnumMap<>(KernelCommand.class);
    private final Map<Object, Set<QueueObject>> owners = new HashMap<>();
    private final Map<Object, Xrcd> xrcds = new HashMap<>();
    private final List<UverbsFile> open = new ArrayList<>();
    private final List<byte[]> gids = portGids();
    private final Deque<Integer> givenBack = new ArrayDeque<>();
    private int numbers = 0x100;
    private int uarsInUse;
    private boolean removed;

    /**
     * Creates the device.
     *
     * @param memory the memory of the process
     * @param lock the lock of the kernel
     * @param descriptors gives a file a descriptor
     * @param wakeWaiters wakes the threads that wait for files
     */
    Hca(
            CardSettings<?> settings,
            Memory memory,
            ReentrantLock lock,
            ToIntFunction<OpenFile> descriptors,
            Runnable wakeWaiters) {
        this.settings = settings;
        this.memory = memory;
        this.card = new Card(lock, settings.timing, this);
        this.descriptors = descriptors;
        this.wakeWaiters = wakeWaiters;
        gids.forEach(card::addGid);
    }

    /** The GIDs of the port by index; every address is there for RoCE v1 and then for RoCE v2. */
    static List<byte[]> portGids() {
        List<byte[]> gids = new ArrayList<>();
        for (String address : List.of("fe80::5054:ff:fe12:3456", CardKernel.IPV4, CardKernel.IPV6)) {
            byte[] gid = gid(address);
            gids.add(gid);
            gids.add(gid);
        }
        return gids;
    }

    private static byte[] gid(String address) {
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            if (bytes.length == GID_BYTES) {
                return bytes;
            }
            return ByteBuffer.allocate(GID_BYTES)
                    .position(GID_BYTES - bytes.length - Short.BYTES)
                    .putShort((short) -1)
                    .put(bytes)
                    .array();
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** The files of sysfs that describe the port, for a process that does not ask by ioctl. */
    static Map<String, String> sysfs(String device) {
        Map<String, String> files = new LinkedHashMap<>();
        String port = "class/infiniband/" + device + "/ports/" + PORT;
        files.put(port + "/link_layer", "Ethernet");
        List<byte[]> gids = portGids();
        for (int i = 0; i < gids.size(); i++) {
            StringBuilder text = new StringBuilder();
            for (int at = 0; at < GID_BYTES; at += Short.BYTES) {
                text.append(String.format(
                        Locale.ROOT, at == 0 ? "%02x%02x" : ":%02x%02x", gids.get(i)[at], gids.get(i)[at + 1]));
            }
            files.put(port + "/gids/" + i, text.toString());
            files.put(port + "/gid_attrs/types/" + i, i % 2 == 0 ? "IB/RoCE v1" : "RoCE v2");
        }
        return files;
    }

    CardSettings<?> settings() {
        return settings;
    }

    Memory memory() {
        return memory;
    }

    Card card() {
        return card;
    }

    List<byte[]> gids() {
        return gids;
    }

    /** Whether the network has a port with the address: this port is the only port. */
    boolean isOwn(byte[] gid) {
        return gids.stream().anyMatch(own -> Arrays.equals(own, gid));
    }

    /** A number that no object of the device has. */
    int newNumber() {
        Integer given = givenBack.poll();
        return given == null ? numbers++ : given;
    }

    /** A queue pair that had a number is gone. */
    void release(int number) {
        if (settings.numbersAgain) {
            givenBack.add(number);
        }
    }

    /** False when all {@code most} doorbell pages are taken. */
    boolean takeUar(int most) {
        if (uarsInUse == most) {
            return false;
        }
        uarsInUse++;
        return true;
    }

    void giveUarBack() {
        uarsInUse--;
    }

    /** The number of a new descriptor. */
    int descriptor(OpenFile file) throws Refusal {
        int fd = descriptors.applyAsInt(file);
        if (fd < 0) {
            throw new Refusal(new Errno(-fd));
        }
        return fd;
    }

    /** The open XRC domains that have an inode. */
    Map<Object, Xrcd> xrcds() {
        return xrcds;
    }

    // ---- faults

    void refuse(KernelCommand command, Errno errno) {
        faults.computeIfAbsent(command, none -> new ArrayDeque<>()).add(errno);
    }

    /** Refuses a command when a test has asked for it, or the device is gone. */
    void admit(KernelCommand command) throws Refusal {
        Deque<Errno> planned = faults.get(command);
        Errno errno = planned == null ? null : planned.poll();
        if (errno != null) {
            throw new Refusal(errno);
        }
        Refusal.unless(!removed, Errno.EIO);
    }

    boolean isRemoved() {
        return removed;
    }

    void opened(UverbsFile file) {
        open.add(file);
    }

    void closed(UverbsFile file) {
        open.remove(file);
    }

    /** Takes the device away: its doorbells become zeros, and every context hears of it. */
    void remove() {
        removed = true;
        card.die();
        open.forEach(UverbsFile::lose);
    }

    /** The firmware has failed: no completion comes any more, but commands still work. */
    void fail() {
        card.die();
        open.forEach(file -> file.tell(CardEvents.DEVICE_FATAL));
    }

    /** The kinds of all objects of all contexts, sorted. */
    List<String> objects() {
        return open.stream().flatMap(file -> file.kinds().stream()).sorted().toList();
    }

    // ---- events

    void own(Object queue, QueueObject owner) {
        owners.computeIfAbsent(queue, none -> new LinkedHashSet<>()).add(owner);
    }

    void disown(Object queue, QueueObject owner) {
        Set<QueueObject> all = owners.getOrDefault(queue, Set.of());
        all.remove(owner);
        if (all.isEmpty()) {
            owners.remove(queue);
        }
    }

    /** The queue pair of a process that has the number. */
    Optional<QueueObject.Qp> queuePair(int qpn) {
        return owners.values().stream()
                .flatMap(Set::stream)
                .filter(QueueObject.Qp.class::isInstance)
                .map(QueueObject.Qp.class::cast)
                .filter(qp -> qp.qp().qpn() == qpn)
                .findFirst();
    }

    private void tell(Object queue, int event) {
        for (QueueObject owner : owners.getOrDefault(queue, Set.of())) {
            owner.tell(event);
            wakeWaiters.run();
        }
    }

    @Override
    public void completion(CardCq cq) {
        for (QueueObject owner : owners.getOrDefault(cq, Set.of())) {
            ((QueueObject.Cq) owner).notifyChannel();
            wakeWaiters.run();
        }
    }

    @Override
    public void queueFailed(CardCq cq, int event) {
        tell(cq, event);
    }

    @Override
    public void queuePair(CardQp qp, int event) {
        tell(qp, event);
    }

    @Override
    public void sharedQueue(CardSrq srq, int event) {
        tell(srq, event);
    }
}
