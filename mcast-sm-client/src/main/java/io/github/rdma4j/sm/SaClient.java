// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.undo.Undo;
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
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client of the subnet administration of an InfiniBand subnet, the part of the subnet manager that keeps paths,
 * services and multicast groups.
 *
 * <p>The client repeats a request that is not answered, or answered with BUSY, and doubles the wait each time. It
 * follows redirections, and drops and counts late and duplicate answers.
 *
 * <p>Safe for use by several threads; any number of requests may be outstanding. A client has a thread that receives, a
 * thread for timers, a thread that reads the port, a thread for callbacks and a thread for the listener of each
 * subscription. All are daemons; all but the first end when they are idle. Futures are completed on the callback
 * thread, one after the other. A callback that blocks delays other futures, but never an answer: a callback may use
 * {@link #call}, but must not wait for a future of {@link #submit}.
 *
 * <p>{@link #close()} also closes the transport. When the port fails, for example because its device was removed, the
 * client ends: all requests fail with the reason, the transport is closed so that the kernel can release the device,
 * and {@link #ended()} completes. A lack of file descriptors, or of memory outside the heap, does not end the client:
 * requests may fail meanwhile, and later requests work.
 */
public final class SaClient implements AutoCloseable {
    /**
     * The counters of a client since it was opened.
     *
     * @param requests requests that the program made
     * @param sent MADs of requests that were sent, including repetitions
     * @param unanswered attempts that were not answered in time
     * @param busy answers with status BUSY
     * @param redirects answers that redirected to another port
     * @param strayReplies answers without a request: late, duplicate, or after the request was cancelled
     * @param malformed MADs that could not be decoded, or processed
     * @param duplicateSegments segments of a long answer that arrived twice, outside the window, or after the answer
     *     was complete
     * @param reports reports that arrived
     * @param foreignReports reports that did not come from the subnet manager's LID; they were ignored
     * @param droppedReports reports that were dropped because {@value SaSubscription#MAX_WAITING_REPORTS} others waited
     *     for the listener
     * @param receiveFailures how often receiving failed because the process lacked file descriptors, or memory outside
     *     the heap
     */
    public record Statistics(
            long requests,
            long sent,
            long unanswered,
            long busy,
            long redirects,
            long strayReplies,
            long malformed,
            long duplicateSegments,
            long reports,
            long foreignReports,
            long droppedReports,
            long receiveFailures) {
        private static Statistics of(Transactions.Counters counters) {
            return new Statistics(
                    counters.requests.sum(),
                    counters.sent.sum(),
                    counters.unanswered.sum(),
                    counters.busy.sum(),
                    counters.redirects.sum(),
                    counters.strayReplies.sum(),
                    counters.malformed.sum(),
                    counters.duplicateSegments.sum(),
                    counters.reports.sum(),
                    counters.foreignReports.sum(),
                    counters.droppedReports.sum(),
                    counters.receiveFailures.sum());
        }
    }

    private final MadTransport transport;
    private final SaClock clock;
    private final SubnetManagerAddress subnetManager;
    private final Transactions transactions;
    private final SaThreads.Worker callbacks =
            new SaThreads.Worker(SaThreads.named("rdma4j-sa-callbacks"), new LinkedBlockingQueue<>());
    private final Subscriptions subscriptions;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    private SaClient(MadTransport transport, SaOptions options, SaClock clock) {
        this.transport = transport;
        this.clock = clock;
        this.subnetManager = new SubnetManagerAddress(transport, clock);
        this.transactions = new Transactions(transport, subnetManager, options, clock);
        this.subscriptions = new Subscriptions(transactions);
    }

    /** Opens a client for a port, numbered from 1, of a device, for example {@code mlx5_0}. */
    public static SaClient open(String device, int port) throws RdmaException {
        return over(UmadPort.open(device, port));
    }

    /** Creates a client with the default options. */
    public static SaClient over(MadTransport transport) throws RdmaException {
        return over(transport, SaOptions.DEFAULT);
    }

    /**
     * Creates a client over a transport. The client closes the transport when it ends, or at once if this method
     * throws. Sends nothing yet.
     *
     * @throws UnsupportedByKernelException on RoCE, which has no subnet manager
     */
    public static SaClient over(MadTransport transport, SaOptions options) throws RdmaException {
        return over(transport, options, new SaClock.OfMachine());
    }

    static SaClient over(MadTransport transport, SaOptions options, SaClock clock) throws RdmaException {
        SaClient client = new SaClient(transport, options, clock);
        return Undo.onFailure(client::start, client::close);
    }

    private SaClient start() throws RdmaException {
        LocalPort port = port();
        if (port.linkLayer() == LinkLayer.ETHERNET) {
            throw new UnsupportedByKernelException(port.device() + " port " + port.port()
                    + " is RoCE (link layer Ethernet): there is no subnet manager on RoCE. Join multicast groups"
                    + " through the connection manager instead, with CmMulticast");
        }
        String name = "rdma4j-sa-" + port.device() + '-' + port.port();
        SaThreads.named(name)
                .newThread(new Receiver(transport, transactions, subscriptions, this::receiverEnded))
                .start();
        return this;
    }

    /** Fails all requests, because no answer can arrive, and closes a transport that failed. */
    private void receiverEnded(RdmaException why) {
        try {
            transactions.end(why);
        } finally {
            if (!closed.get()) {
                ended.completeExceptionally(why);
                transport.close();
            }
        }
    }

    /** The port; read again after an unanswered request. */
    public LocalPort port() throws RdmaException {
        return subnetManager.port();
    }

    /** Reads the port now. */
    public LocalPort readPort() throws RdmaException {
        subnetManager.suspect();
        return subnetManager.port();
    }

    /**
     * Sends a request.
     *
     * @return completes with the content of the answer, with a {@link SaException} when subnet administration refuses,
     *     with a {@link SaTimeoutException} when it does not answer, or with another {@link RdmaException} when the
     *     port fails. Completing or cancelling the future stops the retries; it undoes nothing at the subnet manager
     */
    public <T> CompletableFuture<T> submit(SaRequest<T> request) {
        Transaction<T> transaction = transactions.start(request);
        CompletableFuture<T> shown = inCallbackThread(transaction.result());
        CompletableFuture<T> unused = shown.whenComplete((value, failure) -> transaction.cancel());
        return shown;
    }

    /** A future with the outcome of {@code inner}, completed on the callback thread. */
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
     * Sends a request and waits for its answer until the last attempt of the {@link SaOptions} has timed out. An
     * attempt whose answer arrives in several segments may take 40 s longer than its timeout.
     *
     * @throws SaException when subnet administration refuses
     * @throws SaTimeoutException when it does not answer
     * @throws ClosedWhileWaitingException when another thread closes the client
     * @throws InterruptedException when the thread is interrupted; the request is then not repeated
     */
    public <T> T call(SaRequest<T> request) throws RdmaException, InterruptedException {
        return call(request, Deadline.never());
    }

    /**
     * Like {@link #call(SaRequest)}, with a limit for all attempts together.
     *
     * @throws SaTimeoutException when there was no answer within {@code timeout}, or to any attempt
     */
    public <T> T call(SaRequest<T> request, Duration timeout) throws RdmaException, InterruptedException {
        return call(request, Deadline.after(timeout));
    }

    <T> T call(SaRequest<T> request, Deadline deadline) throws RdmaException, InterruptedException {
        Transaction<T> transaction = transactions.start(request);
        try {
            return clock.await(transaction.result(), deadline);
        } catch (TimeoutException e) {
            throw new SaTimeoutException(request, "within " + deadline);
        } catch (ExecutionException e) {
            throw cause(e);
        } finally {
            transaction.cancel();
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
    void sendOnly(SaRequest<?> request) {
        transactions.start(request);
    }

    /**
     * The capabilities of subnet administration. The client keeps the answer until a request is not answered or the
     * port has another subnet manager. Waits as {@link #call(SaRequest)} does.
     *
     * @return empty when there was no answer, or a refusal: the capabilities are then unknown, not absent
     */
    public Optional<ClassPortInfo> classPortInfo() throws RdmaException, InterruptedException {
        return classPortInfo(Deadline.never());
    }

    /** Like {@link #classPortInfo()}, with a limit for all attempts together. */
    public Optional<ClassPortInfo> classPortInfo(Duration timeout) throws RdmaException, InterruptedException {
        return classPortInfo(Deadline.after(timeout));
    }

    private Optional<ClassPortInfo> classPortInfo(Deadline deadline) throws RdmaException, InterruptedException {
        Optional<ClassPortInfo> known = subnetManager.info();
        if (known.isPresent()) {
            return known;
        }
        long asked = subnetManager.forgets();
        try {
            ClassPortInfo info = call(SaRequest.classPortInfo(), deadline);
            subnetManager.learn(info, asked);
            return Optional.of(info);
        } catch (SaException unknown) {
            return Optional.empty();
        }
    }

    /** Forgets the known subnet manager. Call this when you learn that it was restarted or replaced. */
    public void subnetManagerChanged() {
        subnetManager.forget();
    }

    /**
     * Subscribes to reports of traps. The listener runs on its own thread; an exception of the listener goes to the
     * thread's handler of uncaught exceptions, and the listener still receives later reports. Reports from other LIDs
     * than the subnet manager's are ignored. While {@value SaSubscription#MAX_WAITING_REPORTS} reports wait for a
     * listener, further reports for it are dropped. A listener of several subscriptions receives all reports in the
     * order of their arrival. Only one process at a time can receive reports on a port of the kernel.
     *
     * <p>Waits for the answer as {@link #call(SaRequest)} does.
     */
    public SaSubscription subscribe(InformInfo what, Consumer<Notice> listener)
            throws RdmaException, InterruptedException {
        return subscribe(what, listener, Deadline.never());
    }

    /** Like {@link #subscribe(InformInfo, Consumer)}, with a limit for all attempts together. */
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
     * The end of the client. The future completes after {@link #close()}, or exceptionally when the port has failed,
     * with the {@link RdmaException} of all later requests. For a program that waits for reports, this future is the
     * only sign that no more will arrive.
     */
    public CompletableFuture<@Nullable Void> ended() {
        return inCallbackThread(ended);
    }

    /** The counters of the client since it was opened. */
    public Statistics statistics() {
        return Statistics.of(transactions.counters);
    }

    /** The number of outstanding requests, including repetitions. */
    int outstanding() {
        return transactions.size();
    }

    /**
     * Closes the client and its transport. Outstanding requests fail with {@link ClosedWhileWaitingException}; their
     * futures complete even if a callback blocks for ever. A second call does nothing. Callbacks and listeners may call
     * this.
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
