// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryPathReply;
import io.github.rdma4j.internal.uverbs.QpAttrBytes;
import io.github.rdma4j.lab.semantics.raw.Answer;
import io.github.rdma4j.lab.semantics.raw.RawCm;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;

/** A CM id as the kernel knows it: a handle on a descriptor. */
record RawId(RawCm cm, int handle, long uid) {
    static final int INIT = 1;
    static final int RTR = 2;
    static final int RTS = 3;

    private static final Duration RESOLVE = Duration.ofSeconds(5);

    /** The same id, which MIGRATE_ID has put on another descriptor. */
    RawId on(RawCm other) {
        return new RawId(other, handle, uid);
    }

    Answer bind(InetSocketAddress address) {
        return cm.bind(handle, address);
    }

    Answer resolveAddr(InetSocketAddress to) {
        return cm.resolveAddr(handle, null, to, RESOLVE);
    }

    Answer resolveAddr(InetSocketAddress to, Duration timeout) {
        return cm.resolveAddr(handle, null, to, timeout);
    }

    Answer resolveRoute() {
        return cm.resolveRoute(handle, RESOLVE);
    }

    Answer listen(int backlog) {
        return cm.listen(handle, backlog);
    }

    Answer connect(ConnParam param) {
        return cm.connect(handle, param);
    }

    Answer accept(ConnParam param) {
        return cm.accept(handle, uid, param);
    }

    Answer establish() {
        return cm.establish(handle);
    }

    Answer disconnect() {
        return cm.disconnect(handle);
    }

    Answer destroy() {
        return cm.destroyId(handle);
    }

    Answer notify(int event) {
        return cm.notify(handle, event);
    }

    Answer join(String group, long joinUid, int flags) {
        return cm.joinMcast(handle, joinUid, Net.address(group, 0), flags);
    }

    Answer setOption(int level, int name, byte[] value) {
        return cm.setOption(handle, level, name, value);
    }

    /** An option of level 0 with an int. */
    Answer setInt(int name, int value) {
        return setOption(0, name, new RawBody(4).u32(0, value).bytes());
    }

    /** An option of level 0 with a byte. */
    Answer setByte(int name, int value) {
        return setOption(0, name, new byte[] {(byte) value});
    }

    Answer initQpAttr(int state) {
        return cm.initQpAttr(handle, state);
    }

    /** What INIT_QP_ATTR gives for a state, which must be a success. */
    QpAttr attr(int state) {
        Answer answer = initQpAttr(state).orFail("INIT_QP_ATTR(" + state + ")");
        return QpAttrBytes.decode(answer.buffer(), 0);
    }

    QueryAddrReply address() {
        return QueryAddrReply.decode(cm.queryAddr(handle).orFail("QUERY ADDR").buffer(), 0);
    }

    /** The address that it is bound to. */
    InetSocketAddress local() {
        return (InetSocketAddress) Objects.requireNonNull(address().src(), "not bound");
    }

    InetAddress localIp() {
        return local().getAddress();
    }

    boolean hasDevice() {
        return address().nodeGuid() != 0;
    }

    QueryPathReply paths() {
        Answer answer = cm.queryPath(handle).orFail("QUERY PATH");
        return QueryPathReply.decode(answer.buffer(), 0, answer.reply().length);
    }
}
