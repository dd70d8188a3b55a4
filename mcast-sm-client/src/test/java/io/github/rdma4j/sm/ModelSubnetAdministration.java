// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.ReceivedMad;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A port whose subnet administration is a model that answers at once: groups with their members as OpenSM keeps them, and
 * whatever other records a test puts in. Any number of clients may attach, one after the other or at a time. Safe for
 * several threads.
 */
public final class ModelSubnetAdministration {
    /** With which a request is trusted. */
    public static final long SM_KEY = 1;

    private static final Gid GID = new Gid(0xfe80_0000_0000_0000L, 0x0002_c903_00a0_0004L);
    private static final int FIRST_MLID = 0xc001;
    private static final int CREATING_STATES = 9;
    private static final int STATES = 0xf;
    private static final int OFFSET_UNIT = 8;
    private static final int METHOD_NOT_SUPPORTED = 0x0c;
    private static final int RESPONSE_TIME = 16;
    private static final int MASK2_SHIFT = 5;
    private static final int CAPABILITY = 0x2602;
    private static final int CAPABILITY2 = 0xb5e8;

    /** Where fields of MCMemberRecord are, and bits of its component mask. */
    private static final int MGID = 0;

    private static final int PORT_GID = 16;
    private static final int MLID = 36;
    private static final int SCOPE_JOIN_STATE = 48;
    private static final long MGID_BIT = 1;
    private static final long PORT_GID_BIT = 1 << 1;
    private static final long QKEY_BIT = 1 << 2;

    /** From one record of a table to the next. */
    private static final Map<Integer, Integer> STRIDES =
            Map.of(SaAttributes.MC_MEMBER_RECORD, 56, SaAttributes.PATH_RECORD, 64, SaAttributes.SERVICE_RECORD, 176);

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Map<Gid, Group> groups = new LinkedHashMap<>();
    private final Map<Integer, List<byte[]>> others = new TreeMap<>();
    private int nextMlid = FIRST_MLID;
    private int capability2 = CAPABILITY2;
    private volatile @Nullable RdmaException portFailure;
    private @Nullable String unreachableFor;
    private final Map<String, Integer> refusals = new TreeMap<>();
    private @Nullable Runnable duringNext;
    private Gid chosen = new Gid(0, 0);
    private boolean secretive;
    private LocalPort port = new LocalPort(
            "model0", 1, PortAttr.State.ACTIVE.code(), LinkLayer.INFINIBAND, 4, 0, 1, 0, GID, List.of(0xffff));

    private static final class Group {
        private final byte[] record;
        private final Map<Gid, Integer> members = new LinkedHashMap<>();

        Group(byte[] record) {
            this.record = record;
        }
    }

    private record Reply(int status, List<byte[]> records) {
        static final Reply NONE = new Reply(SaStatus.NO_RECORDS, List.of());

        static Reply refusal(int status) {
            return new Reply(status, List.of());
        }
    }

    // ---- what tests do

    /** The requests so far, for example {@code Set MCMemberRecord 1}, with the join state at the end. */
    public List<String> log() {
        return List.copyOf(log);
    }

    public void clearLog() {
        log.clear();
    }

    /** It forgets all groups, as one that was restarted. */
    public synchronized void restart() {
        groups.clear();
        nextMlid = FIRST_MLID;
    }

    /** Requests whose line in the log starts with this cannot be sent; null: all can. */
    public synchronized void unreachableFor(@Nullable String start) {
        unreachableFor = start;
    }

    /** Requests whose line in the log starts with this are refused with a status; 0: no more. */
    public synchronized void refuse(String start, int status) {
        refusals.put(start, status);
    }

    /** The GID of all groups without one. */
    public synchronized void chooses(Gid mgid) {
        chosen = mgid;
    }

    /** Happens once, while the next request is under way. */
    public synchronized void duringNextRequest(Runnable action) {
        duringNext = action;
    }

    /** The port cannot be read, as when its device has gone; null: it can. */
    public void portFailure(@Nullable RdmaException failure) {
        portFailure = failure;
    }

    /** It does not know ClassPortInfo from now on. */
    public synchronized void keepCapabilitiesSecret() {
        secretive = true;
    }

    /** Whether it announces send-only full members. */
    public synchronized void announceSendOnlyFullMember(boolean supported) {
        int bit = ClassPortInfo.SEND_ONLY_FULL_MEMBER;
        capability2 = supported ? capability2 | bit : capability2 & ~bit;
    }

    /** A record that every query of its kind finds. */
    public synchronized void add(int attribute, SaRequest.Template<?> record) {
        others.computeIfAbsent(attribute, key -> new ArrayList<>()).add(bytes(record));
    }

    /** The states of a port in a group; 0 for none. */
    public synchronized int member(Gid mgid, Gid portGid) {
        Group group = groups.get(mgid);
        return group == null ? 0 : group.members.getOrDefault(portGid, 0);
    }

    public synchronized boolean exists(Gid mgid) {
        return groups.containsKey(mgid);
    }

    /** Another port joins. */
    public synchronized void join(Gid mgid, Gid portGid, int states, McMemberRecord.Template parameters) {
        groups.computeIfAbsent(mgid, key -> create(mgid, parameters)).members.put(portGid, states);
    }

    public synchronized void port(LocalPort now) {
        port = now;
    }

    // ---- the model

    private static byte[] bytes(SaRequest.Template<?> template) {
        ByteBuffer mad = SaRequest.set(template).encode(0);
        byte[] bytes = new byte[mad.limit() - SaHeader.Layout.END];
        mad.get(SaHeader.Layout.END, bytes);
        return bytes;
    }

    private static byte[] copy(ByteBuffer record) {
        byte[] bytes = new byte[record.capacity()];
        record.get(0, bytes);
        return bytes;
    }

    private Group create(Gid mgid, McMemberRecord.Template parameters) {
        return new Group(bytes(parameters.copy().mgid(mgid).mlid(nextMlid++)));
    }

    private Reply answer(int method, int attribute, SaHeader header, ByteBuffer record) {
        if (attribute == SaAttributes.CLASS_PORT_INFO) {
            return secretive ? Reply.refusal(METHOD_NOT_SUPPORTED) : new Reply(0, List.of(classPortInfo()));
        }
        if (attribute == SaAttributes.MC_MEMBER_RECORD) {
            return switch (method) {
                case SaMethods.SET -> join(header.componentMask(), record);
                case SaMethods.DELETE -> leave(record);
                default -> query(method == SaMethods.GET_TABLE, header, record);
            };
        }
        if (method == SaMethods.SET) {
            return new Reply(0, List.of(copy(record)));
        }
        List<byte[]> found = others.getOrDefault(attribute, List.of());
        return found.isEmpty() && method == SaMethods.GET ? Reply.NONE : new Reply(0, found);
    }

    private byte[] classPortInfo() {
        ByteBuffer info = ByteBuffer.allocate(72);
        info.put(0, (byte) 1).put(1, (byte) 2);
        info.putShort(2, (short) CAPABILITY);
        info.putInt(4, (capability2 << MASK2_SHIFT) | RESPONSE_TIME);
        return info.array();
    }

    private Reply join(long mask, ByteBuffer record) {
        if (GidBytes.decode(record, MGID).isZero()) {
            GidBytes.encode(chosen, record, MGID);
        }
        Gid mgid = GidBytes.decode(record, MGID);
        Gid member = GidBytes.decode(record, PORT_GID);
        int states = record.get(SCOPE_JOIN_STATE) & STATES;
        Group group = groups.get(mgid);
        if (group == null) {
            if ((mask & QKEY_BIT) == 0) {
                return Reply.refusal(SaStatus.INSUFFICIENT_COMPONENTS);
            }
            if ((states & CREATING_STATES) == 0) {
                return Reply.refusal(SaStatus.REQUEST_INVALID);
            }
            record.putShort(MLID, (short) nextMlid++);
            group = new Group(copy(record));
            groups.put(mgid, group);
        }
        int now = group.members.merge(member, states, (old, added) -> old | added);
        return new Reply(0, List.of(membership(group, member, now)));
    }

    private Reply leave(ByteBuffer record) {
        Gid mgid = GidBytes.decode(record, MGID);
        Gid member = GidBytes.decode(record, PORT_GID);
        int given = record.get(SCOPE_JOIN_STATE) & STATES;
        Group group = groups.get(mgid);
        int held = member(mgid, member);
        if (group == null || given == 0 || (held & given) != given) {
            return Reply.refusal(SaStatus.REQUEST_INVALID);
        }
        group.members.put(member, held & ~given);
        group.members.values().removeIf(states -> states == 0);
        if (group.members.values().stream().noneMatch(states -> (states & CREATING_STATES) != 0)) {
            groups.remove(mgid);
        }
        return new Reply(0, List.of(membership(group, member, held & ~given)));
    }

    private Reply query(boolean table, SaHeader header, ByteBuffer record) {
        long mask = header.componentMask();
        boolean trusted = header.smKey() == SM_KEY;
        List<byte[]> found = new ArrayList<>();
        groups.forEach((mgid, group) -> {
            if ((mask & MGID_BIT) != 0 && !mgid.equals(GidBytes.decode(record, 0))) {
                return;
            }
            List<byte[]> members = new ArrayList<>();
            group.members.forEach((member, states) -> {
                Gid wanted = GidBytes.decode(record, PORT_GID);
                if ((mask & PORT_GID_BIT) == 0 || member.equals(wanted)) {
                    members.add(membership(group, trusted ? member : new Gid(0, 0), trusted ? states : 0));
                }
            });
            found.addAll(trusted || members.isEmpty() ? members : members.subList(0, 1));
        });
        if (table) {
            return new Reply(0, found);
        }
        return found.size() > 1
                ? Reply.refusal(SaStatus.TOO_MANY_RECORDS)
                : found.isEmpty() ? Reply.NONE : new Reply(0, found);
    }

    private static byte[] membership(Group group, Gid member, int states) {
        ByteBuffer record = ByteBuffer.wrap(group.record.clone());
        GidBytes.encode(member, record, PORT_GID);
        int scope = record.get(SCOPE_JOIN_STATE) & ~STATES;
        record.put(SCOPE_JOIN_STATE, (byte) (scope | states));
        return record.array();
    }

    // ---- the transport

    public synchronized LocalPort port() {
        return port;
    }

    /** A client's access to the port. */
    public MadTransport attach() {
        return new Attached();
    }

    private synchronized ByteBuffer answer(ByteBuffer mad) throws RdmaException {
        MadHeader header = MadHeader.decode(mad);
        SaHeader sa = new SaHeader(mad.getLong(SaHeader.Layout.SM_KEY), 0, mad.getLong(SaHeader.Layout.COMPONENT_MASK));
        ByteBuffer record = ByteBuffer.allocate(MadHeader.MAD_BYTES - SaHeader.Layout.END);
        record.put(0, mad, SaHeader.Layout.END, record.capacity());
        String line = SaMethods.name(header.method()) + ' ' + SaAttributes.name(header.attributeId());
        if (header.attributeId() == SaAttributes.MC_MEMBER_RECORD) {
            line += " " + (record.get(SCOPE_JOIN_STATE) & STATES);
        }
        log.add(line);
        if (unreachableFor != null && line.startsWith(unreachableFor)) {
            throw new RdmaException("model0 is unreachable for " + line);
        }
        Runnable action = duringNext;
        duringNext = null;
        if (action != null) {
            action.run();
        }
        Reply reply = refusal(line);
        if (reply == null) {
            reply = answer(header.method(), header.attributeId(), sa, record);
        }
        return encode(mad, header, reply);
    }

    private @Nullable Reply refusal(String line) {
        return refusals.entrySet().stream()
                .filter(refusal -> line.startsWith(refusal.getKey()) && refusal.getValue() != 0)
                .map(refusal -> Reply.refusal(refusal.getValue()))
                .findFirst()
                .orElse(null);
    }

    private static ByteBuffer encode(ByteBuffer request, MadHeader header, Reply reply) {
        int stride = reply.records().isEmpty() ? 0 : STRIDES.getOrDefault(header.attributeId(), 0);
        boolean table = header.method() == SaMethods.GET_TABLE;
        int length = SaHeader.Layout.END + (table ? stride * reply.records().size() : 0);
        ByteBuffer mad = ByteBuffer.allocate(table ? length : MadHeader.MAD_BYTES);
        mad.put(0, request, 0, SaHeader.Layout.END);
        mad.put(MadHeader.Layout.METHOD, (byte) SaMethods.responseTo(header.method()));
        mad.putShort(MadHeader.Layout.STATUS, (short) reply.status());
        mad.putShort(SaHeader.Layout.ATTRIBUTE_OFFSET, (short) (stride / OFFSET_UNIT));
        int base = SaHeader.Layout.END;
        for (byte[] record : reply.records()) {
            mad.put(base, record, 0, table ? Math.min(stride, record.length) : record.length);
            base += stride;
        }
        return mad;
    }

    private final class Attached implements MadTransport {
        private final BlockingQueue<Optional<ReceivedMad>> received = new LinkedBlockingQueue<>();
        private volatile boolean closed;

        @Override
        public LocalPort port() throws RdmaException {
            RdmaException failure = portFailure;
            if (failure != null) {
                throw failure;
            }
            return ModelSubnetAdministration.this.port();
        }

        @Override
        public void send(MadAddress to, ByteBuffer mad, Duration timeout, int retries) throws RdmaException {
            received.add(Optional.of(new ReceivedMad(0, to, answer(mad))));
        }

        @Override
        public Optional<ReceivedMad> receive(Duration timeout, int maxBytes)
                throws RdmaException, InterruptedException {
            Optional<ReceivedMad> mad = received.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
            if (closed) {
                throw new ClosedWhileWaitingException("model0");
            }
            return mad == null ? Optional.empty() : mad;
        }

        @Override
        public boolean reassembles() {
            return true;
        }

        @Override
        public void close() {
            closed = true;
            received.add(Optional.empty());
        }
    }
}
