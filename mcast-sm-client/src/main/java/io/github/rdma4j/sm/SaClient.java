// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.Notice;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.UmadPort;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the subnet administration of an InfiniBand subnet, the part of the subnet manager that keeps paths, services and
 * multicast groups.
 *
 * <p>A request that finds no answer is sent again, each time after twice the wait; one that is answered with BUSY, too;
 * one that is redirected goes on where the answer says. Late and duplicate answers are dropped and counted.
 *
 * <p>Safe for use by several threads, and any number of requests may be under way. A client has a thread that receives,
 * one for timers, one for callbacks and one for the listener of each subscription, all daemons; all but the first end when
 * there is nothing to do. Futures are completed in the callback thread, one after the other: what blocks there holds up
 * other futures, never an answer, so that {@link #call} may be used there, but not the waiting for a future of {@link
 * #submit}.
 *
 * <p>{@link #close()} ends everything, the transport included. A port that fails, for example because its device was
 * removed, ends the client, too: all requests fail with the reason, the transport is closed so that the kernel can let go
 * of the device, and {@link #ended()} tells. Nothing else ends it: while the process is out of file descriptors or memory
 * requests may fail, and later ones work.
 */
public final class SaClient implements AutoCloseable {
    private final MadTransport transport;
    private final SubnetManagerAddress subnetManager;
    private final Transactions transactions;
    private final SaThreads.Callbacks callbacks = new SaThreads.Callbacks();
    private final Subscriptions subscriptions;
    private final Counters counters = new Counters();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    private SaClient(MadTransport transport, SaOptions options) {
        this.transport = transport;
        this.subnetManager = new SubnetManagerAddress(transport);
        this.transactions = new Transactions(transport, subnetManager, options, counters);
        this.subscriptions = new Subscriptions(transactions);
    }

    /** A client through the kernel's port {@code port}, from 1, of {@code device}, for example {@code mlx5_0}. */
    public static SaClient open(String device, int port) throws RdmaException {
        return over(UmadPort.open(device, port));
    }

    /** A client with the default options. */
    public static SaClient over(MadTransport transport) throws RdmaException {
        return over(transport, SaOptions.DEFAULT);
    }

    /**
     * A client over a transport, which it closes in the end, or at once when this fails. Nothing is sent yet.
     *
     * @throws UnsupportedByKernelException on RoCE, where there is no subnet manager
     */
    public static SaClient over(MadTransport transport, SaOptions options) throws RdmaException {
        SaClient client = new SaClient(transport, options);
        boolean open = false;
        try {
            LocalPort port = client.port();
            if (port.linkLayer() == LinkLayer.ETHERNET) {
                throw new UnsupportedByKernelException(port.device() + " port " + port.port()
                        + " is RoCE (link layer Ethernet): there is no subnet manager on RoCE. Join multicast groups"
                        + " through the connection manager, CmMulticast, there");
            }
            client.start(port);
            open = true;
            return client;
        } finally {
            if (!open) {
                client.close();
            }
        }
    }

    private void start(LocalPort port) {
        String name = "rdma4j-sa-" + port.device() + '-' + port.port();
        SaThreads.named(name)
                .newThread(new Receiver(transport, transactions, subscriptions, this::receivesNoMore))
                .start();
    }

    /** Nobody is to wait for what nobody receives, and what is broken is not kept open. */
    private void receivesNoMore(RdmaException why) {
        try {
            transactions.end(why);
        } finally {
            if (!closed.get()) {
                ended.completeExceptionally(why);
                transport.close();
            }
        }
    }

    /** The port; read again when an answer failed to come since. */
    public LocalPort port() throws RdmaException {
        return subnetManager.port();
    }

    /** The port, read now. */
    public LocalPort readPort() throws RdmaException {
        subnetManager.suspect();
        return subnetManager.port();
    }

    /**
     * Sends a request.
     *
     * @return completed with what the answer says, or with a {@link SaException} when it refuses, a {@link
     *     SaTimeoutException} when there is none, another {@link RdmaException} when the port fails. Whoever completes or
     *     cancels the future ends the request's retries; what it did at the subnet manager stays done
     */
    public <T> CompletableFuture<T> submit(SaRequest<T> request) {
        Transaction<T> transaction = transactions.start(request);
        CompletableFuture<T> shown = inCallbackThread(transaction.result());
        CompletableFuture<T> unused = shown.whenComplete((value, failure) -> transaction.forget());
        return shown;
    }

    /** A future that becomes what {@code inner} does, and is completed in the callback thread. */
    private <T extends @Nullable Object> CompletableFuture<T> inCallbackThread(CompletableFuture<T> inner) {
        CompletableFuture<T> shown = new CompletableFuture<>();
        CompletableFuture<T> unused =
                inner.whenCompleteAsync((value, failure) -> pass(value, failure, shown), callbacks);
        return shown;
    }

    private static <T extends @Nullable Object> void pass(
            T value, @Nullable Throwable failure, CompletableFuture<T> to) {
        if (failure != null) {
            to.completeExceptionally(failure);
        } else {
            to.complete(value);
        }
    }

    /**
     * Sends a request and waits for its answer, for as long as the attempts of the {@link SaOptions} last.
     *
     * @throws SaException when subnet administration refuses
     * @throws SaTimeoutException when it does not answer
     * @throws ClosedWhileWaitingException when another thread closed the client meanwhile
     * @throws InterruptedException when the thread was interrupted; the request is not sent again
     */
    public <T> T call(SaRequest<T> request) throws RdmaException, InterruptedException {
        return call(request, Deadline.never());
    }

    /**
     * As {@link #call(SaRequest)}, with a limit for all attempts together.
     *
     * @throws SaTimeoutException when there was no answer within {@code timeout}, or to any attempt
     */
    public <T> T call(SaRequest<T> request, Duration timeout) throws RdmaException, InterruptedException {
        return call(request, Deadline.after(timeout));
    }

    <T> T call(SaRequest<T> request, Deadline deadline) throws RdmaException, InterruptedException {
        Transaction<T> transaction = transactions.start(request);
        try {
            return transaction.result().get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new SaTimeoutException(request, "within " + deadline);
        } catch (ExecutionException e) {
            throw cause(e);
        } finally {
            transaction.forget();
        }
    }

    private static RdmaException cause(ExecutionException e) {
        if (e.getCause() instanceof RdmaException failure) {
            return failure;
        }
        if (e.getCause() instanceof RuntimeException misuse) {
            throw misuse;
        }
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return new RdmaException("subnet administration: " + e.getCause(), e);
    }

    /** Sends a request and ignores its answer. */
    void forgetAnswer(SaRequest<?> request) {
        transactions.start(request);
    }

    /**
     * What subnet administration can do. The answer is kept until a request finds no answer or the port has another
     * subnet manager. Waits for as long as the attempts of the {@link SaOptions} last.
     *
     * @return empty when there was no answer, or an answer without content: the capabilities are then unknown, not absent
     */
    public Optional<ClassPortInfo> classPortInfo() throws RdmaException, InterruptedException {
        return classPortInfo(Deadline.never());
    }

    /** As {@link #classPortInfo()}, with a limit for all attempts together. */
    public Optional<ClassPortInfo> classPortInfo(Duration timeout) throws RdmaException, InterruptedException {
        return classPortInfo(Deadline.after(timeout));
    }

    private Optional<ClassPortInfo> classPortInfo(Deadline deadline) throws RdmaException, InterruptedException {
        Optional<ClassPortInfo> known = subnetManager.info();
        if (known.isPresent()) {
            return known;
        }
        try {
            ClassPortInfo info = call(SaRequest.classPortInfo(), deadline);
            subnetManager.learn(info);
            return Optional.of(info);
        } catch (SaException unknown) {
            return Optional.empty();
        }
    }

    /** Forgets what is known of the subnet manager: for who learns from elsewhere that there is another, or a new one. */
    public void subnetManagerChanged() {
        subnetManager.forget();
    }

    /**
     * Has traps reported to {@code listener}, in a thread of its own; what it throws goes to that thread's handler of
     * uncaught exceptions, and the listener hears the next report nevertheless. Only reports from the subnet manager's LID
     * count. A listener that is slower than the reports misses those that come while {@value
     * SaSubscription#MAX_WAITING_REPORTS} wait. A listener that is given to several subscriptions is told of reports in the
     * order in which they came. On a kernel's port one process at a time can receive reports.
     *
     * <p>Waits for the answer as {@link #call(SaRequest)} does.
     */
    public SaSubscription subscribe(InformInfo what, Consumer<Notice> listener)
            throws RdmaException, InterruptedException {
        return subscribe(what, listener, Deadline.never());
    }

    /** As {@link #subscribe(InformInfo, Consumer)}, with a limit for all attempts together. */
    public SaSubscription subscribe(InformInfo what, Consumer<Notice> listener, Duration timeout)
            throws RdmaException, InterruptedException {
        return subscribe(what, listener, Deadline.after(timeout));
    }

    private SaSubscription subscribe(InformInfo what, Consumer<Notice> listener, Deadline deadline)
            throws RdmaException, InterruptedException {
        transport.listenForReports();
        SaSubscription subscription = new SaSubscription(this, subscriptions, what);
        subscription.begin(listener, deadline);
        return subscription;
    }

    /**
     * The end of the client: completed after {@link #close()}, or with the {@link RdmaException} that requests from now on
     * fail with, because the port has failed. For those who wait for reports: nothing else tells them that none will come.
     */
    public CompletableFuture<@Nullable Void> ended() {
        return inCallbackThread(ended);
    }

    /** What the client has seen so far. */
    public SaStatistics statistics() {
        return counters.snapshot();
    }

    /** How many requests are under way, repetitions counted. */
    int outstanding() {
        return transactions.size();
    }

    /**
     * Requests under way end with {@link ClosedWhileWaitingException}. Their futures are completed even if a callback blocks
     * for ever. A second time does nothing. May be called in a callback or a listener.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                transactions.end(new ClosedWhileWaitingException("the client of subnet administration"));
            } finally {
                closeTransport();
            }
        }
    }

    private void closeTransport() {
        try {
            transport.close();
        } finally {
            ended.complete(null);
            callbacks.close();
        }
    }
}
