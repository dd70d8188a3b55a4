// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.Network.Grh;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A device in software. Nothing happens unless {@link #step} is called, by a test or by a {@link CardThread}: the device
 * looks at its doorbells, and serves the queues that were rung, in the order and at the speed of its {@link Timing}.
 *
 * <p>What a real device would answer with anything at all, such as a doorbell that differs from the work request or a record
 * that is behind, is a {@linkplain #complaints complaint}. Safe for use by several threads: one lock for everything, which
 * the kernel in front of the device shares.
 */
public final class Card {
    /** The largest message in bytes. */
    static final int MAX_MESSAGE = 1 << 30;

    private final ReentrantLock lock;
    private final Timing timing;
    private final CardEvents events;
    private final Complaints complaints = new Complaints();
    private final MemoryKeys keys = new MemoryKeys();
    private final Network network = new Network(complaints);
    private final Map<Integer, DoorbellPage> pages = new TreeMap<>();
    private final Map<Integer, CardCq> completionQueues = new TreeMap<>();
    private final Map<Integer, CardQp> queuePairs = new TreeMap<>();
    private final Map<Integer, CardSrq> sharedQueues = new TreeMap<>();
    private final Responder responder;
    private final Requester requester;
    private boolean dead;

    public Card(ReentrantLock lock, Timing timing, CardEvents events) {
        this.lock = lock;
        this.timing = timing;
        this.events = events;
        this.responder = new Responder(keys, events, sharedQueues);
        this.requester = new Requester(keys, network, responder, timing, queuePairs);
    }

    // ---- what the kernel does, under the lock

    public void addPage(DoorbellPage page) {
        pages.put(page.index(), page);
    }

    public void removePage(int index) {
        DoorbellPage page = pages.remove(index);
        if (page != null) {
            page.remove();
        }
    }

    public void addKey(MemoryKey key) {
        keys.add(key);
    }

    public void removeKey(int number) {
        keys.remove(number);
    }

    /** A memory window; {@code key} is the key that the process gets. */
    public void addWindow(int key) {
        keys.addWindow(key);
    }

    public void removeWindow(int key) {
        keys.removeWindow(key);
    }

    public void addGid(byte[] gid) {
        network.addGid(gid);
    }

    public CardCq createCq(CardCq cq) {
        completionQueues.put(cq.number(), cq);
        return cq;
    }

    /** A doorbell that was rung before the command reaches the device before the command does. */
    public void destroyCq(CardCq cq) {
        lookAtDoorbells();
        completionQueues.remove(cq.number());
    }

    public CardSrq createSrq(CardSrq srq) {
        sharedQueues.put(srq.number(), srq);
        return srq;
    }

    public void destroySrq(CardSrq srq) {
        sharedQueues.remove(srq.number());
    }

    public CardQp createQp(QpSpec spec) {
        CardQp qp = new CardQp(spec, complaints);
        queuePairs.put(qp.qpn(), qp);
        return qp;
    }

    /** A doorbell that was rung before the command reaches the device before the command does. */
    public void destroyQp(CardQp qp) {
        lookAtDoorbells();
        queuePairs.remove(qp.qpn());
    }

    /** Moves a queue pair to {@code IBV_QPS_*}. A doorbell that was rung before the command reaches the device before the command does. */
    public void moveQp(CardQp qp, int state) {
        if (state == CardQp.RESET) {
            lookAtDoorbells();
        }
        if (state == CardQp.ERR) {
            responder.enterError(qp);
            return;
        }
        qp.state(state);
        if (state == CardQp.RESET) {
            qp.reset();
        }
    }

    /** The limit of receives, with which a doorbell from before may have to do. */
    public int limitOf(CardSrq srq) {
        lock.lock();
        try {
            lookAtDoorbells();
            return srq.limit();
        } finally {
            lock.unlock();
        }
    }

    /** Lets an event come when fewer than {@code limit} receives are left. */
    public void limitSrq(CardSrq srq, int limit) {
        srq.limit(limit);
    }

    public void attach(byte[] group, CardQp qp) {
        network.attach(group, qp.qpn());
    }

    /** False when the queue pair was not attached. */
    public boolean detach(byte[] group, CardQp qp) {
        return network.detach(group, qp.qpn());
    }

    /** The hardware address that goes with a GID of this network. */
    public static byte[] mac(byte[] gid) {
        return Grh.mac(gid);
    }

    /** Whether a GID is that of a group. */
    public static boolean isMulticast(byte[] gid) {
        return Grh.isMulticast(gid);
    }

    /** The device is gone, or is reset: no doorbell and no completion from now on. */
    public void die() {
        dead = true;
    }

    // ---- what the device does by itself

    /** Looks at the doorbells and serves the queues once. Returns whether there was, or still is, anything to do. */
    public boolean step() {
        lock.lock();
        try {
            if (dead) {
                return false;
            }
            boolean busy = lookAtDoorbells();
            requester.nextStep();
            for (CardQp qp : timing.order(queuePairs.values())) {
                if (timing.skips()) {
                    busy |= qp.hasWork() || (qp.isFailed() && !qp.receives().isEmpty());
                } else {
                    busy |= requester.serve(qp);
                }
                busy |= !qp.underWay().isEmpty();
            }
            return busy;
        } finally {
            lock.unlock();
        }
    }

    /** Steps until there is nothing to do but to wait for the process. */
    public void settle() {
        boolean busy = true;
        while (busy) {
            busy = step();
        }
    }

    private boolean lookAtDoorbells() {
        if (dead) {
            return false;
        }
        boolean rung = false;
        for (DoorbellPage page : pages.values()) {
            rung |= page.look(this);
        }
        return rung;
    }

    /** Completes a send that the device has not carried out: the number of its first block, and of its operation. */
    public void feignSend(int qpn, int counter, int code) {
        lock.lock();
        try {
            CardQp qp = Objects.requireNonNull(queuePairs.get(qpn));
            Objects.requireNonNull(qp.spec().sendCq()).put(CardCompletion.sent(qp, counter, code));
        } finally {
            lock.unlock();
        }
    }

    // ---- what queues tell, and what a page of doorbells asks for, under the lock

    Complaints noted() {
        return complaints;
    }

    CardEvents events() {
        return events;
    }

    @Nullable
    CardQp queuePair(int qpn) {
        return queuePairs.get(qpn);
    }

    Collection<CardQp> queuePairs() {
        return queuePairs.values();
    }

    @Nullable
    CardSrq sharedQueue(int number) {
        return sharedQueues.get(number);
    }

    @Nullable
    CardCq completionQueue(int number) {
        return completionQueues.get(number);
    }

    public void complain(String complaint) {
        complaints.add(complaint);
    }

    /** The completion queues in the order of their numbers. */
    public List<CardCq> completionQueues() {
        lock.lock();
        try {
            return List.copyOf(completionQueues.values());
        } finally {
            lock.unlock();
        }
    }

    /** What the process did wrong so far. */
    public List<String> complaints() {
        lock.lock();
        try {
            return complaints.all();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "device in software, " + timing;
    }
}
