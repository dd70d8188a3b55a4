// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.ReceivedMad;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A request until it is answered, refused, abandoned or cancelled.
 *
 * <p>Every attempt has its own transaction id, and all ids stay valid until the end: a late answer to the first attempt
 * counts as much as an answer to the second, and the segments of two answers do not mix.
 */
final class Transaction<T> {
    private static final int MAX_REDIRECTS = 4;

    /** The bound of the doubling, far below the largest number of nanoseconds. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

    private final SaRequest<T> request;
    private final Transactions owner;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Integer> ids = new ArrayList<>();
    private Duration timeout;
    private int attempt;
    private int redirects;
    private long attemptStart;
    private @Nullable MadAddress redirected;
    private @Nullable MadAddress sentTo;
    private @Nullable Reassembly reassembly;
    private int reassemblyId;
    private boolean busy;
    private @Nullable Future<?> timer;

    Transaction(SaRequest<T> request, Transactions owner) {
        this.request = request;
        this.owner = owner;
        this.timeout = bounded(owner.options()
                .firstTimeout()
                .orElseGet(() -> owner.subnetManager().firstTimeout()));
    }

    private static Duration bounded(Duration timeout) {
        return timeout.compareTo(LONGEST_TIMEOUT) < 0 ? timeout : LONGEST_TIMEOUT;
    }

    /** Completed on the thread that learns the outcome; dependents must not block that thread. */
    CompletableFuture<T> result() {
        return result;
    }

    void start() {
        lock.lock();
        try {
            attempt();
        } finally {
            lock.unlock();
        }
    }

    /** Requires the lock, as all private methods do. */
    private void attempt() {
        attempt++;
        attemptStart = owner.clock().nanoTime();
        busy = false;
        transmit();
    }

    private void transmit() {
        try {
            MadAddress to = redirected;
            if (to == null) {
                to = owner.subnetManager().address().orElse(null);
            }
            sentTo = to;
            int id = owner.register(this);
            ids.add(id);
            arm(timeout.plus(grace()));
            if (to != null) {
                owner.send(to, request.encode(Integer.toUnsignedLong(id)), timeout);
            }
        } catch (RdmaException | RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Time for the transport to report a missing answer itself, which is more accurate than this timer. */
    private Duration grace() {
        return timeout.dividedBy(4);
    }

    private void arm(Duration delay) {
        disarm();
        int armed = attempt;
        timer = owner.clock().schedule(() -> timeUp(armed), delay.toNanos() - (owner.clock().nanoTime() - attemptStart));
    }

    private void disarm() {
        Future<?> running = timer;
        if (running != null) {
            running.cancel(false);
        }
    }

    private void timeUp(int armed) {
        lock.lock();
        try {
            if (result.isDone() || armed != attempt) {
                return;
            }
            if (!busy) {
                owner.counters().unanswered.increment();
                owner.subnetManager().forget();
                redirected = null;
            }
            if (attempt >= owner.options().attempts()) {
                giveUp();
                return;
            }
            timeout = bounded(timeout.multipliedBy(2));
            attempt();
        } catch (RuntimeException | Error e) {
            fail(e); // the timer drops exceptions
        } finally {
            lock.unlock();
        }
    }

    private void giveUp() {
        finish();
        result.completeExceptionally(
                busy ? new SaException(request, new SaStatus(SaStatus.BUSY)) : new SaTimeoutException(request, why()));
    }

    private String why() {
        String tried = "to " + attempt + (attempt == 1 ? " attempt" : " attempts");
        String problem = portProblem();
        if (!problem.isEmpty()) {
            return tried + ". " + problem;
        }
        return sentTo == null
                ? tried + ", because the port has no subnet manager. Check with sminfo whether one is running"
                : tried + ", the last to LID " + sentTo.lid()
                        + ". Is a subnet manager running there? It also ignores requests with a wrong SM_Key and"
                        + " requests that it does not know";
    }

    /** The reason why the port cannot be used; empty for an active port. */
    private String portProblem() {
        try {
            LocalPort port = owner.subnetManager().port();
            return port.isActive()
                    ? ""
                    : "Port " + port.port() + " of " + port.device() + " is not active (state " + port.state() + ", "
                            + port.rawState()
                            + "): is the cable connected, and has a subnet manager configured the port?";
        } catch (RdmaException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** The transport reports that an attempt was not answered, possibly long before its timeout. */
    void unanswered(int id) {
        lock.lock();
        try {
            if (!result.isDone() && !busy && !ids.isEmpty() && ids.get(ids.size() - 1) == id) {
                arm(timeout);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Processes an answer to one of the attempts. */
    void answered(MadHeader header, ByteBuffer mad) {
        lock.lock();
        try {
            if (result.isDone() || !isAnswer(header)) {
                owner.counters().strayReplies.increment();
                return;
            }
            RmppHeader rmpp = RmppHeader.decode(mad);
            if (rmpp.isActive() && !owner.transportReassembles()) {
                segment(header, rmpp, mad);
            } else {
                whole(new SaStatus(header.status()), mad);
            }
        } catch (MalformedReplyException e) {
            owner.counters().malformed.increment();
            fail(e);
        } catch (OutOfMemoryError e) {
            owner.counters().malformed.increment();
            fail(noMemory(header, e));
        } catch (RuntimeException | Error e) {
            owner.counters().malformed.increment();
            fail(new RdmaException(request + ": the answer cannot be decoded: " + e, e));
        } finally {
            lock.unlock();
        }
    }

    /** The transport had to drop an answer. */
    void answerDropped(MadHeader header, int why) {
        lock.lock();
        try {
            if (result.isDone() || !isAnswer(header)) {
                owner.counters().strayReplies.increment();
            } else if (why == ReceivedMad.NO_MEMORY) {
                fail(noMemory(header, null));
            } else {
                fail(tooLong(header.status()));
            }
        } finally {
            lock.unlock();
        }
    }

    /** True when a MAD is an answer to the request; the answer may refuse or redirect the request. */
    private boolean isAnswer(MadHeader header) {
        return header.managementClass() == SaRequest.MANAGEMENT_CLASS
                && header.method() == SaMethods.responseTo(request.method())
                && (header.attributeId() == request.attribute() || new SaStatus(header.status()).isRedirect());
    }

    private SaException noMemory(MadHeader header, @Nullable Throwable cause) {
        SaException failure = new SaException(
                request,
                header.status(),
                request + ": the Java heap has no room for the answer. Request fewer records at a time, or raise -Xmx");
        if (cause != null) {
            failure.initCause(cause);
        }
        return failure;
    }

    private SaException tooLong(int status) {
        return new SaException(
                request,
                status,
                request + ": the answer is longer than " + owner.options().maxReplyBytes()
                        + " bytes. Request fewer records at a time, or raise SaOptions.maxReplyBytes");
    }

    private void segment(MadHeader header, RmppHeader rmpp, ByteBuffer mad) throws MalformedReplyException {
        int id = header.ownTransactionId();
        Reassembly transfer = reassembly;
        if (transfer == null || (reassemblyId != id && rmpp.isFirst())) {
            transfer = new Reassembly(owner.options().maxReplyBytes());
            reassembly = transfer;
            reassemblyId = id;
        } else if (reassemblyId != id) {
            owner.counters().duplicateSegments.increment();
            return;
        }
        attemptStart = owner.clock().nanoTime();
        arm(timeout.plus(grace()));
        Reassembly.Step step = transfer.take(rmpp, mad);
        if (step.duplicate()) {
            owner.counters().duplicateSegments.increment();
        }
        RmppHeader reply = step.answer();
        MadAddress to = sentTo;
        if (reply != null && to != null) {
            owner.acknowledge(to, rmpp(header.transactionId(), reply));
        }
        if (step.failure() != null) {
            fail(new SaException(
                    request, header.status(), request + ": the transfer of the answer failed: " + step.failure()));
        } else if (step.message() != null) {
            whole(new SaStatus(header.status()), step.message());
        }
    }

    /** A MAD without a record, with an RMPP header for the sender of an answer of several segments. */
    private ByteBuffer rmpp(long transactionId, RmppHeader rmpp) {
        ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES);
        int method = SaMethods.responseTo(request.method()) ^ SaMethods.RESPONSE;
        int attribute = request.attribute();
        new MadHeader(SaRequest.MANAGEMENT_CLASS, SaRequest.CLASS_VERSION, method, 0, transactionId, attribute, 0)
                .encode(mad, 0);
        rmpp.encode(mad);
        return mad;
    }

    private void whole(SaStatus status, ByteBuffer mad) throws MalformedReplyException {
        if (mad.limit() > owner.options().maxReplyBytes()) {
            fail(tooLong(status.raw()));
        } else if (status.isSuccess()) {
            T value = request.decode(mad);
            MadAddress delegate = redirected;
            if (delegate != null) {
                owner.subnetManager().redirectedTo(delegate.lid());
            }
            finish();
            result.complete(value);
        } else if (status.isBusy()) {
            owner.counters().busy.increment();
            busy = true;
            arm(timeout);
        } else if (status.isRedirect()) {
            redirect(SaRequest.classPortInfo().decode(mad));
        } else {
            finish();
            result.completeExceptionally(new SaException(request, status));
        }
    }

    private void redirect(ClassPortInfo to) {
        owner.counters().redirects.increment();
        try {
            redirects++;
            if (redirects > MAX_REDIRECTS) {
                throw redirectFailed("more than " + MAX_REDIRECTS + " redirections");
            }
            redirected = destination(to);
        } catch (RdmaException e) {
            fail(e);
            return;
        }
        attemptStart = owner.clock().nanoTime();
        transmit();
    }

    private MadAddress destination(ClassPortInfo to) throws RdmaException {
        if (to.redirectLid() == 0) {
            throw redirectFailed("the redirection names GID " + to.redirectGid() + " but no LID");
        }
        LocalPort port = owner.subnetManager().port();
        int pkeyIndex = to.redirectPkey() == 0 ? 0 : port.pkeys().indexOf(to.redirectPkey());
        if (pkeyIndex < 0) {
            throw redirectFailed(
                    String.format("the port is not in the partition 0x%04x of the redirection", to.redirectPkey()));
        }
        return new MadAddress(
                to.redirectLid(), to.redirectSl(), to.redirectQpn(), to.redirectQkey(), pkeyIndex, Optional.empty());
    }

    private SaException redirectFailed(String why) {
        return new SaException(request, SaStatus.REDIRECT, request + ": " + why);
    }

    /** Ends the transaction; does nothing when it has ended. */
    void fail(Throwable reason) {
        lock.lock();
        try {
            finish();
            result.completeExceptionally(reason);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the transaction without an outcome. */
    void cancel() {
        lock.lock();
        try {
            finish();
            result.cancel(false);
        } finally {
            lock.unlock();
        }
    }

    private void finish() {
        disarm();
        ids.forEach(owner::unregister);
        ids.clear();
        reassembly = null;
    }
}
