// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A subnet manager that a random generator makes lose, delay, repeat, refuse and redirect, and that remembers what it has
 * answered. It executes the requests in the order in which they were sent, as a fabric delivers them. All happens on the
 * thread that moves the clock.
 */
final class LyingManager {
    private static final int RECORD = 56;
    private static final int JOIN_STATE = 48;
    private static final int STATES = 0xf;
    private static final int CREATING_STATES = 9;
    private static final long QKEY_BIT = 1 << 2;
    private static final int USUAL_RECORDS = 40;

    /** The states of the members. */
    final Map<Gid, Map<Gid, Integer>> members = new HashMap<>();

    /** The statuses with which requests about a group are refused; a negative one: they are not answered. */
    final Map<Gid, Map<Integer, Integer>> moods = new HashMap<>();

    /** How often leaves of a group were refused since it was last joined; what denies the membership counts twice. */
    private final Map<Gid, Integer> refusedLeaves = new HashMap<>();

    /**
     * The states of which a member cannot know that it has them: those that the manager refused to remove twice, or denied. A
     * join with the state ends that.
     */
    final Map<Gid, Integer> excused = new HashMap<>();

    /** By the number in the request: the tags of the answers that were given whole, and the ids of the attempts. */
    final Map<Integer, Set<Integer>> answers = new HashMap<>();

    final Map<Integer, List<Integer>> attempts = new HashMap<>();

    /** The attempts whose transfers the manager has ended. */
    final Set<Integer> ended = new HashSet<>();

    final List<String> wrong = new ArrayList<>();

    private final LyingPort port;
    private final VirtualClock clock;
    private final Random random;
    private final Map<Integer, SegmentSender> senders = new HashMap<>();
    private final List<Runnable> waiting = new ArrayList<>();

    /** 0 to 100: how often something goes wrong. */
    int trouble;

    boolean suspended;

    LyingManager(LyingPort port, VirtualClock clock, Random random) {
        this.port = port;
        this.clock = clock;
        this.random = random;
    }

    boolean happens(int weight) {
        return random.nextInt(100) * 10 < trouble * weight;
    }

    /** It forgets everything, as when it is restarted. */
    void restart() {
        members.clear();
        refusedLeaves.clear();
        excused.clear();
    }

    void resume() {
        suspended = false;
        List<Runnable> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(Runnable::run);
    }

    /** All that goes wrong ends. */
    void calm() {
        trouble = 0;
        moods.clear();
        resume();
    }

    // ---- requests

    void receive(int lid, ByteBuffer mad, long timeoutNanos) throws RdmaException {
        MadHeader header = MadHeader.decode(mad);
        RmppHeader rmpp = RmppHeader.decode(mad);
        if (rmpp.isActive()) {
            acknowledged(lid, header, rmpp);
        } else if (header.method() == SaMethods.GET_TABLE) {
            int number = mad.getInt(SaHeader.Layout.END + 32);
            attempts.computeIfAbsent(number, key -> new ArrayList<>()).add(header.ownTransactionId());
            take(() -> answer(lid, header, mad, timeoutNanos));
        } else if (header.method() != SaMethods.REPORT_RESP) {
            take(() -> answer(lid, header, mad, timeoutNanos));
        }
    }

    private void take(Runnable request) {
        if (happens(3)) {
            return; // lost
        }
        if (suspended) {
            waiting.add(request);
        } else {
            request.run();
        }
    }

    private void acknowledged(int lid, MadHeader header, RmppHeader rmpp) {
        SegmentSender sender = senders.get(header.ownTransactionId());
        if (sender == null) {
            return;
        }
        if (sender.lid() != lid) {
            wrong.add("a segment from LID " + sender.lid() + " was acknowledged to LID " + lid);
        }
        if (!happens(2)) {
            sender.acknowledged(rmpp);
        }
    }

    private void answer(int lid, MadHeader header, ByteBuffer mad, long timeoutNanos) {
        if (lid != port.managerLid() && lid != LyingPort.DELEGATE) {
            // The port of a former manager: the kernel answers that it has no such agent, or nobody does.
            if (random.nextBoolean()) {
                reply(lid, encode(mad, header, SaStatus.METHOD_ATTRIBUTE_NOT_SUPPORTED, List.of()), timeoutNanos);
            }
            return;
        }
        if (happens(2)) {
            reply(lid, encode(mad, header, SaStatus.BUSY, List.of()), timeoutNanos);
        } else if (happens(2)) {
            reply(lid, redirection(mad, header), timeoutNanos);
        } else if (header.method() == SaMethods.GET_TABLE) {
            table(lid, header, mad, timeoutNanos);
        } else if (header.attributeId() == SaAttributes.MC_MEMBER_RECORD) {
            member(lid, header, mad, timeoutNanos);
        } else {
            byte[] record = new byte[72];
            if (header.attributeId() == SaAttributes.CLASS_PORT_INFO) {
                // All capabilities, and any response time.
                ByteBuffer.wrap(record).putInt(4, 0xffff_ffe0 | (trouble > 0 ? random.nextInt(32) : 16));
            } else {
                mad.get(SaHeader.Layout.END, record);
            }
            reply(lid, encode(mad, header, 0, List.of(record)), timeoutNanos);
        }
    }

    private void member(int lid, MadHeader header, ByteBuffer mad, long timeoutNanos) {
        Gid mgid = GidBytes.decode(mad, SaHeader.Layout.END);
        Gid member = GidBytes.decode(mad, SaHeader.Layout.END + 16);
        Integer mood = moods.getOrDefault(mgid, Map.of()).get(header.method());
        if (mood != null && mood < 0) {
            return;
        }
        int given = mad.get(SaHeader.Layout.END + JOIN_STATE) & STATES;
        Map<Gid, Integer> group = members.computeIfAbsent(mgid, key -> new HashMap<>());
        int held = group.getOrDefault(member, 0);
        int status = mood == null ? 0 : mood;
        boolean mayCreate =
                (mad.getLong(SaHeader.Layout.COMPONENT_MASK) & QKEY_BIT) != 0 && (given & CREATING_STATES) != 0;
        if (header.method() == SaMethods.SET && status != 0 && (held & given) == given) {
            status = 0; // an attempt was executed before: the same is not refused later
        } else if (header.method() == SaMethods.SET && status == 0 && group.isEmpty() && !mayCreate) {
            status = SaStatus.INSUFFICIENT_COMPONENTS;
        } else if (header.method() == SaMethods.DELETE && status == 0 && (held & given) != given) {
            status = SaStatus.REQUEST_INVALID;
        } else if (header.method() == SaMethods.GET && status == 0 && held == 0) {
            status = SaStatus.NO_RECORDS;
        }
        if (status == 0) {
            execute(header.method(), mgid, member, given, held);
        } else if (header.method() == SaMethods.DELETE && mood != null) {
            refused(mgid, status, held & given);
        } else if (header.method() == SaMethods.GET && status == SaStatus.NO_RECORDS) {
            excuse(mgid, held);
        }
        byte[] record = new byte[RECORD];
        mad.get(SaHeader.Layout.END, record);
        record[JOIN_STATE] = (byte) (int) group.getOrDefault(member, 0);
        reply(lid, encode(mad, header, status, List.of(record)), timeoutNanos);
        if (group.isEmpty()) {
            members.remove(mgid);
            excused.remove(mgid);
        }
    }

    private void refused(Gid mgid, int status, int states) {
        boolean isDenial = status == SaStatus.REQUEST_INVALID || status == SaStatus.NO_RECORDS;
        if (refusedLeaves.merge(mgid, isDenial ? 2 : 1, Integer::sum) > 1) {
            excuse(mgid, states);
        }
    }

    private void excuse(Gid mgid, int states) {
        excused.merge(mgid, states, (all, more) -> all | more);
    }

    private void execute(int method, Gid mgid, Gid member, int given, int held) {
        Map<Gid, Integer> group = members.computeIfAbsent(mgid, key -> new HashMap<>());
        if (method == SaMethods.SET) {
            group.put(member, held | given);
            excused.computeIfPresent(mgid, (key, states) -> states & ~given);
            refusedLeaves.remove(mgid);
        } else if (method == SaMethods.DELETE) {
            group.put(member, held & ~given);
            group.values().removeIf(states -> states == 0);
            if (group.values().stream().noneMatch(states -> (states & CREATING_STATES) != 0)) {
                group.clear();
            }
        }
    }

    // ---- answers

    /** A table whose records have the number of the request and a tag that no other answer has. */
    private void table(int lid, MadHeader header, ByteBuffer mad, long timeoutNanos) {
        int number = mad.getInt(SaHeader.Layout.END + 32);
        int count = random.nextInt(random.nextInt(4) == 0 ? 400 : USUAL_RECORDS);
        Set<Integer> tags = answers.computeIfAbsent(number, key -> new HashSet<>());
        int tag = number << 8 | tags.size();
        tags.add(tag);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ByteBuffer record = ByteBuffer.allocate(RECORD).putInt(32, tag);
            records.add(record.putShort(36, (short) i).putLong(0, count).array());
        }
        ByteBuffer whole = encode(mad, header, 0, records);
        SegmentSender sender =
                new SegmentSender(lid, whole, timeoutNanos, this, new SegmentSender.Surroundings(port, clock, random));
        senders.put(header.ownTransactionId(), sender);
        sender.start();
    }

    private static ByteBuffer encode(ByteBuffer request, MadHeader header, int status, List<byte[]> records) {
        boolean table = header.method() == SaMethods.GET_TABLE;
        int length = SaHeader.Layout.END + RECORD * records.size();
        ByteBuffer mad = ByteBuffer.allocate(table ? length : MadHeader.MAD_BYTES);
        mad.put(0, request, 0, SaHeader.Layout.END);
        mad.put(MadHeader.Layout.METHOD, (byte) SaMethods.responseTo(header.method()));
        mad.putShort(MadHeader.Layout.STATUS, (short) status);
        mad.putShort(SaHeader.Layout.ATTRIBUTE_OFFSET, (short) (RECORD / 8));
        int base = SaHeader.Layout.END;
        for (byte[] record : records) {
            mad.put(base, record);
            base += RECORD;
        }
        return mad;
    }

    private static ByteBuffer redirection(ByteBuffer request, MadHeader header) {
        ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES);
        mad.put(0, encode(request, header, SaStatus.REDIRECT, List.of()), 0, SaHeader.Layout.END);
        int info = SaHeader.Layout.END;
        mad.putShort(info + 28, (short) LyingPort.DELEGATE);
        mad.putShort(info + 30, (short) 0x8001);
        mad.putInt(info + 32, 1);
        mad.putInt(info + 36, 0x8001_0000);
        return mad;
    }

    /** Sends one MAD: lost, late or more than once. */
    private void reply(int lid, ByteBuffer mad, long timeoutNanos) {
        if (happens(2)) {
            return;
        }
        int copies = happens(2) ? 1 + random.nextInt(5) : 1;
        for (int i = 0; i < copies; i++) {
            port.deliverLater(lid, mad, delay(timeoutNanos));
        }
    }

    /** Mostly short; otherwise just when the client loses its patience, or after that. */
    long delay(long timeoutNanos) {
        if (!happens(3)) {
            return random.nextInt(1_000_000);
        }
        return switch (random.nextInt(5)) {
            case 0 -> timeoutNanos;
            case 1 -> timeoutNanos + timeoutNanos / 4;
            case 2 -> (long) (timeoutNanos * 1.25 * 3);
            default -> (long) (timeoutNanos * 4 * random.nextDouble());
        };
    }
}
