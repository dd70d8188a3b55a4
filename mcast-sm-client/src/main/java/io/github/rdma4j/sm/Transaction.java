// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.SubnetManagerAddress.PATIENCE_NANOS;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.SubnetManagerAddress.Look;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.umad.MadAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A request until it is answered, refused, abandoned or cancelled.
 *
 * <p>Every attempt has its own transaction id, and all ids stay valid until the end: a late answer to the first attempt
 * counts as much as an answer to the second. An event that affects one attempt only, such as an aborted transfer, does
 * not decide the request while another attempt may be answered; nor does a refusal of a change that is asked for again.
 *
 * <p>An attempt ends when neither an answer nor a further segment has arrived for the timeout, and at the latest {@link
 * #TRANSFER_LIMIT} after the timeout. The port is read without the lock and outside the timer thread, because the read
 * may be slow; after {@link SubnetManagerAddress#PATIENCE_NANOS} the next attempt goes to the last known address.
 */
final class Transaction<T> {
    private static final int MAX_REDIRECTS = 4;

    /** The time that a transfer may take beyond the timeout of an attempt: the same as in the kernel (mad_rmpp.c). */
    private static final Duration TRANSFER_LIMIT = Duration.ofSeconds(40);

    /** The limit of the doubling, far below the maximum number of nanoseconds. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

    private final SaRequest<T> request;
    private final Transactions owner;
    private final SaProblem problem;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Integer> ids = new ArrayList<>();

    /**
     * The incomplete answers of several segments, by attempt id: one for each attempt, because segments of two answers
     * must not mix, and the end of one answer does not end the other.
     */
    private final Map<Integer, Transfer> transfers = new HashMap<>();

    private Duration timeout;
    private int attempt;
    private int redirects;
    private long attemptStart;
    private int latestId;
    private @Nullable MadAddress redirected;
    private @Nullable MadAddress sentTo;
    private boolean busy;

    /** The reason why the sender ended the transfer of the answer to the latest attempt; null if it did not. */
    private @Nullable String transferEnd;

    private @Nullable Future<?> timer;

    /** Counts the timers, so that an old timer that waits for the lock does nothing once the next timer is armed. */
    private int timers;

    /**
     * A transfer.
     *
     * @param header the header of the first segment
     * @param from the sender of the first segment
     */
    private record Transfer(Reassembly reassembly, MadHeader header, MadAddress from) {}

    Transaction(SaRequest<T> request, Transactions owner) {
        this.request = request;
        this.owner = owner;
        this.problem = new SaProblem(request);
        this.timeout = bounded(owner.options.firstTimeout().orElseGet(() -> owner.subnetManager.firstTimeout()));
    }

    private static Duration bounded(Duration timeout) {
        return timeout.compareTo(LONGEST_TIMEOUT) < 0 ? timeout : LONGEST_TIMEOUT;
    }

    /** Completed on the thread that receives the outcome; dependents must not block that thread. */
    CompletableFuture<T> result() {
        return result;
    }

    void start() {
        Look look = owner.subnetManager.look();
        locked(() -> attempt(look));
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** Requires the lock, like all private methods unless stated otherwise. */
    private void attempt(Look look) {
        attempt++;
        attemptStart = owner.clock.nanoTime();
        busy = false;
        transferEnd = null;
        MadAddress delegate = redirected;
        if (delegate == null && look.failure() != null) {
            fail(look.failure());
        } else {
            transmit(delegate != null ? delegate : look.address());
        }
    }

    private void transmit(@Nullable MadAddress to) {
        try {
            sentTo = to;
            latestId = owner.register(this);
            ids.add(latestId);
            arm(attemptStart, timeout.plus(grace()));
            if (to != null) {
                owner.send(to, request.encode(Integer.toUnsignedLong(latestId)), timeout);
            }
        } catch (RdmaException | RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Extra time for the transport to report a missing answer itself, more accurately than this timer. */
    private Duration grace() {
        return timeout.dividedBy(4);
    }

    /** The maximum duration of an attempt. */
    private Duration limit() {
        return timeout.plus(grace()).plus(TRANSFER_LIMIT);
    }

    /** Ends the attempt {@code delay} after {@code since}, or when the limit is reached. */
    private void arm(long since, Duration delay) {
        int armed = disarm();
        long end = Math.min(since - attemptStart + delay.toNanos(), limit().toNanos());
        long elapsed = owner.clock.nanoTime() - attemptStart;
        timer = owner.clock.schedule(() -> timeUp(armed), end - elapsed);
    }

    /** Returns the number of the next timer. */
    private int disarm() {
        Future<?> running = timer;
        if (running != null) {
            running.cancel(false);
        }
        return ++timers;
    }

    /** Takes the lock. */
    private void timeUp(int armed) {
        int waiting;
        lock.lock();
        try {
            if (isObsolete(armed)) {
                return;
            }
            if (!busy) {
                owner.counters.unanswered.increment();
                owner.subnetManager.forget();
                redirected = null;
            }
            if (owner.clock.nanoTime() - attemptStart >= limit().toNanos()) {
                abortTransfers();
            }
            waiting = disarm();
            timer = owner.clock.schedule(() -> goOn(waiting, owner.subnetManager.lastLook()), PATIENCE_NANOS);
        } finally {
            lock.unlock();
        }
        owner.clock.readPort(() -> goOn(waiting, owner.subnetManager.look()));
    }

    /** Continues after an attempt, unless a message has arrived meanwhile. Takes the lock. */
    private void goOn(int waiting, Look look) {
        lock.lock();
        try {
            if (isObsolete(waiting)) {
                return;
            }
            if (attempt >= owner.options.attempts()) {
                giveUp(look);
                return;
            }
            timeout = bounded(timeout.multipliedBy(2));
            attempt(look);
        } catch (RuntimeException | Error e) {
            fail(e); // the timer drops exceptions
        } finally {
            lock.unlock();
        }
    }

    private boolean isObsolete(int armed) {
        return result.isDone() || armed != timers;
    }

    private void giveUp(Look look) {
        String why = transferEnd;
        if (busy) {
            fail(new SaException(request, new SaStatus(SaStatus.BUSY)));
        } else if (why != null) {
            fail(problem.transfer(0, why));
        } else {
            fail(problem.noAnswer(attempt, sentTo, look));
        }
    }

    /** Called when the transport reports an unanswered attempt, possibly long before its timeout. */
    void unanswered(int id) {
        locked(() -> {
            if (!result.isDone() && !busy && id == latestId && transfers.isEmpty()) {
                arm(attemptStart, timeout);
            }
        });
    }

    /** Processes an answer to one of the attempts. */
    void answered(MadAddress from, MadHeader header, ByteBuffer mad) {
        lock.lock();
        try {
            if (!isExpected(header)) {
                owner.counters.strayReplies.increment();
                return;
            }
            RmppHeader rmpp = RmppHeader.decode(mad);
            if (rmpp.isActive() && !owner.transportReassembles()) {
                segment(from, header, rmpp, mad);
            } else {
                whole(header, mad);
            }
        } catch (MalformedReplyException e) {
            owner.counters.malformed.increment();
            fail(e);
        } catch (RuntimeException | Error e) {
            owner.counters.malformed.increment();
            fail(new RdmaException(request + ": the answer cannot be decoded: " + e, e));
        } finally {
            lock.unlock();
        }
    }

    /** Called when the transport had to drop an answer. */
    void answerDropped(MadHeader header) {
        locked(() -> {
            if (!isExpected(header)) {
                owner.counters.strayReplies.increment();
            } else {
                fail(tooLong(header));
            }
        });
    }

    /** True if a MAD is an answer to the request, possibly a refusal or a redirection. */
    private boolean isExpected(MadHeader header) {
        return !result.isDone()
                && ids.contains(header.ownTransactionId())
                && header.managementClass() == SaRequest.MANAGEMENT_CLASS
                && header.method() == SaMethods.responseTo(request.method())
                && (header.attributeId() == request.attribute() || new SaStatus(header.status()).isRedirect());
    }

    private SaException tooLong(MadHeader header) {
        return problem.tooLong(header.status(), owner.options.maxReplyBytes());
    }

    private void segment(MadAddress from, MadHeader header, RmppHeader rmpp, ByteBuffer mad)
            throws MalformedReplyException {
        int id = header.ownTransactionId();
        Transfer transfer = transfers.computeIfAbsent(
                id, key -> new Transfer(new Reassembly(owner.options.maxReplyBytes()), header, from));
        Reassembly.Step step = transfer.reassembly().take(rmpp, mad);
        if (step.duplicate()) {
            owner.counters.duplicateSegments.increment();
        }
        RmppHeader reply = step.answer();
        if (reply != null) {
            owner.acknowledge(from, header, reply);
        }
        if (step.message() != null && reply != null) {
            owner.finished(id, reply);
        }
        if (step.isEnd()) {
            transfers.remove(id);
        }
        if (step.message() != null) {
            whole(header, step.message());
        } else if (step.failure() != null) {
            transferFailed(header, step);
        } else if (step.advanced()) {
            arm(owner.clock.nanoTime(), timeout.plus(grace()));
        }
    }

    private void abortTransfers() {
        RmppHeader abort = RmppHeader.abort(RmppHeader.TOTAL_TIME_TOO_LONG);
        transfers.values().forEach(transfer -> owner.acknowledge(transfer.from(), transfer.header(), abort));
        transfers.clear();
    }

    /**
     * Handles a failed transfer. Other attempts may still be answered; the request fails with the latest attempt only.
     */
    private void transferFailed(MadHeader header, Reassembly.Step step) {
        int id = header.ownTransactionId();
        ids.remove((Integer) id);
        owner.unregister(id);
        if (id != latestId) {
            return;
        }
        boolean isLast = attempt >= owner.options.attempts() && transfers.isEmpty();
        if (isLast || !step.endedBySender()) {
            fail(problem.transfer(header.status(), String.valueOf(step.failure())));
            return;
        }
        transferEnd = step.failure();
        if (transfers.isEmpty()) {
            arm(attemptStart, timeout);
        }
    }

    private void whole(MadHeader header, ByteBuffer mad) throws MalformedReplyException {
        SaStatus status = new SaStatus(header.status());
        boolean isLatest = header.ownTransactionId() == latestId;
        if (mad.limit() > owner.options.maxReplyBytes()) {
            fail(tooLong(header));
        } else if (status.isSuccess()) {
            succeed(request.decode(mad));
        } else if (status.isBusy()) {
            owner.counters.busy.increment();
            if (isLatest) {
                busy = true;
                arm(attemptStart, timeout);
            }
        } else if (status.isRedirect()) {
            owner.counters.redirects.increment();
            if (isLatest) {
                redirect(SaRequest.classPortInfo().decode(mad));
            }
        } else if (isLatest || !changesSomething()) {
            fail(new SaException(request, status));
        }
    }

    /** Subnet administration may still execute the latest attempt of such a request, although it has refused an earlier one. */
    private boolean changesSomething() {
        return request.method() == SaMethods.SET || request.method() == SaMethods.DELETE;
    }

    private void succeed(T value) {
        MadAddress delegate = redirected;
        if (delegate != null) {
            owner.subnetManager.redirectedTo(delegate.lid());
        }
        finish();
        result.complete(value);
    }

    private void redirect(ClassPortInfo to) {
        redirects++;
        if (redirects > MAX_REDIRECTS) {
            fail(problem.redirection("more than " + MAX_REDIRECTS + " redirections"));
        } else if (to.redirectLid() == 0) {
            fail(problem.redirection("the redirection names GID " + to.redirectGid() + " but no LID"));
        } else {
            int pkey = to.redirectPkey();
            int pkeyIndex = pkey == 0 ? 0 : owner.subnetManager.pkeyIndex(pkey);
            if (pkeyIndex < 0) {
                fail(problem.redirection(
                        String.format("the port is not in the partition 0x%04x of the redirection", pkey)));
                return;
            }
            redirected = new MadAddress(
                    to.redirectLid(),
                    to.redirectSl(),
                    to.redirectQpn(),
                    to.redirectQkey(),
                    pkeyIndex,
                    Optional.empty());
            attemptStart = owner.clock.nanoTime();
            transmit(redirected);
        }
    }

    /** Ends the transaction; does nothing when it has ended. */
    void fail(Throwable reason) {
        locked(() -> {
            finish();
            result.completeExceptionally(reason);
        });
    }

    /** Ends the transaction without an outcome. */
    void cancel() {
        locked(() -> {
            finish();
            result.cancel(false);
        });
    }

    private void finish() {
        disarm();
        ids.forEach(owner::unregister);
        ids.clear();
        transfers.clear();
    }
}
