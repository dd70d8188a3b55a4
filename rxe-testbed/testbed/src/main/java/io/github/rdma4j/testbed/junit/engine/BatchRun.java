// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.host.KernelVersion;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.junit.RequiresKernel;
import java.io.PrintStream;
import java.lang.reflect.AnnotatedElement;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Disabled;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.reporting.ReportEntry;

/** Runs the tests that share a guest. A new guest replaces a guest that dies. */
final class BatchRun {
    /** This machine's launcher captures the output; a second capture in the guest would report the output twice. */
    private static final Set<String> LOCAL_PARAMETERS =
            Set.of("junit.platform.output.capture.stdout", "junit.platform.output.capture.stderr");

    private final GuestSpec spec;
    private final ConfigurationParameters parameters;
    private final EngineExecutionListener listener;
    private final Workers workers;
    private final Progression progression;
    private final GuestOutput out = new GuestOutput();
    private final GuestOutput err = new GuestOutput();
    private final GuestOutput raw = new GuestOutput();
    private final TimeLimit limit;
    private String kernel = "";
    private boolean interrupted;
    private @Nullable Throwable engineFailure;

    BatchRun(GuestSpec spec, List<MirroredTest> tests, ExecutionRequest request, Workers workers) {
        this.spec = spec;
        this.workers = workers;
        parameters = request.getConfigurationParameters();
        listener = request.getEngineExecutionListener();
        progression = new Progression(tests, listener);
        limit = new TimeLimit(parameters);
    }

    /** Runs the tests; returns a failure of the engine itself, which belongs to no test. */
    Optional<Throwable> execute() {
        List<MirroredTest> left = progression.left();
        while (!left.isEmpty()) {
            Throwable failure = attempt(left);
            if (failure == null) {
                progression.failLeft(new GuestFailedException(
                        "the guest did not run this test: Jupiter found it on this machine and not in the guest"));
                break;
            }
            progression.blame(failure);
            List<MirroredTest> still = progression.left();
            if (interrupted || still.size() == left.size()) {
                progression.failLeft(failure);
                break;
            }
            left = still;
        }
        progression.finishContainers();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return Optional.ofNullable(engineFailure);
    }

    /** Runs tests in one guest; returns why the guest ended too early, or null. */
    private @Nullable Throwable attempt(List<MirroredTest> tests) {
        try {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Worker worker = workers.acquire(spec);
            try {
                worker.send(run(tests));
                limit.begin();
                Throwable failure = follow(worker);
                if (failure != null) {
                    // A guest that still runs has not finished the tests.
                    worker.kill();
                }
                return failure;
            } catch (InterruptedException | RuntimeException e) {
                // The guest's messages about these tests are not for the next tests.
                worker.kill();
                throw e;
            } finally {
                workers.release(spec, worker);
            }
        } catch (TestbedException e) {
            return new GuestFailedException(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            return e;
        } catch (InterruptedException e) {
            interrupted = true;
            return new GuestFailedException("the tests were interrupted, and the guest was ended");
        }
    }

    private Message run(List<MirroredTest> tests) {
        Map<String, String> forwarded = new HashMap<>();
        parameters.keySet().stream()
                .filter(key -> !LOCAL_PARAMETERS.contains(key))
                .forEach(key -> parameters.get(key).ifPresent(value -> forwarded.put(key, value)));
        Set<String> ids = new LinkedHashSet<>();
        tests.forEach(test -> ids.addAll(test.jupiterIdsToRun()));
        return new Message(Message.Kind.RUN, JvmCommand.systemProperties(), forwarded, ids);
    }

    private @Nullable Throwable follow(Worker worker) throws InterruptedException {
        while (true) {
            Message frame = worker.next(limit.left());
            if (limit.left().isNegative()) {
                Optional<Throwable> failure = limit.expire(progression.running(), worker);
                if (failure.isPresent()) {
                    return failure.get();
                }
            }
            if (frame == null) {
                continue;
            }
            kernel = worker.kernel();
            switch (frame.kind()) {
                case DONE -> {
                    return frame.throwable(0);
                }
                case GONE -> {
                    WorkerPlace.End end = worker.end();
                    return GuestFailedException.of(end.reason(), end.kernelLines());
                }
                case OUT -> out.print(frame.bytes(0), System.out);
                case ERR -> err.print(frame.bytes(0), System.err);
                case RAW -> raw.print(frame.bytes(0), System.err);
                case STACKS -> limit.stacks(frame.text(0));
                case COVERAGE -> Coverage.append(frame.bytes(0));
                case TRACE -> TraceFiles.write(frame.text(0), frame.bytes(1));
                default -> event(frame, frame.text(0));
            }
        }
    }

    private void event(Message frame, String id) {
        Optional<MirroredTest> known = progression.find(id);
        switch (frame.kind()) {
            case STARTED -> known.ifPresent(this::started);
            case SKIPPED -> known.ifPresent(test -> skipped(test, frame.text(1)));
            case FINISHED -> finished(known, limit.result(id, result(frame)));
            case REGISTERED -> registered(id, frame);
            case ENTRY ->
                known.ifPresent(test -> listener.reportingEntryPublished(test, ReportEntry.from(frame.map(1))));
            default -> throw new IllegalStateException("the guest sent " + frame.kind());
        }
        limit.restart(progression.running());
    }

    private void started(MirroredTest test) {
        progression.start(test);
        if (test.getParent().filter(TestDescriptor::isRoot).isPresent()) {
            System.out.println("testbed: these tests run in a guest: " + spec + ", kernel " + kernel);
        }
    }

    private static TestExecutionResult result(Message frame) {
        TestExecutionResult.Status status = TestExecutionResult.Status.valueOf(frame.text(1));
        Throwable throwable = frame.throwable(2);
        return switch (status) {
            case SUCCESSFUL -> TestExecutionResult.successful();
            case ABORTED -> TestExecutionResult.aborted(throwable);
            case FAILED -> TestExecutionResult.failed(throwable);
        };
    }

    private void finished(Optional<MirroredTest> test, TestExecutionResult result) {
        if (test.isPresent()) {
            progression.finish(test.get(), result);
        } else {
            // The root of Jupiter: an extension failed at the end of the engine.
            result.getThrowable().ifPresent(throwable -> engineFailure = throwable);
        }
    }

    private void skipped(MirroredTest test, String reason) {
        Optional<String> required = Mirror.element(test).flatMap(BatchRun::unjustified);
        if (required.isPresent() && KernelVersion.of(kernel).isAtLeast(required.get())) {
            progression.finish(
                    test,
                    TestExecutionResult.failed(new AssertionError("this test was skipped on kernel " + kernel
                            + ", although @RequiresKernel says that " + required.get() + " is new enough: " + reason)));
        } else {
            progression.skip(test, reason);
        }
    }

    /** The kernel that the element requires, unless its author has disabled it. */
    private static Optional<String> unjustified(AnnotatedElement element) {
        return AnnotationSupport.isAnnotated(element, Disabled.class)
                ? Optional.empty()
                : AnnotationSupport.findAnnotation(element, RequiresKernel.class)
                        .map(RequiresKernel::value);
    }

    private void registered(String id, Message frame) {
        TestDescriptor.Type type = TestDescriptor.Type.valueOf(frame.text(4));
        Set<TestTag> tags =
                frame.set(5).stream().map(TestTag::create).collect(Collectors.toCollection(LinkedHashSet::new));
        TestSource source = (TestSource) Throwables.deserialized(frame.bytes(6));
        progression.find(frame.text(1)).ifPresent(parent -> {
            MirroredTest.Traits traits =
                    new MirroredTest.Traits(id, frame.text(2), frame.text(3), type, type.isContainer(), tags, source);
            progression.registered(
                    parent,
                    new MirroredTest(
                            parent.getUniqueId()
                                    .append(org.junit.platform.engine.UniqueId.parse(id)
                                            .getLastSegment()),
                            traits,
                            spec));
        });
    }

    /** Text from the guest, in pieces that can end within a character. */
    static final class GuestOutput {
        private final CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        private byte[] rest = {};

        /** Prints the complete characters. Build tools attribute output by thread, so the calling thread matters. */
        void print(byte[] bytes, PrintStream out) {
            ByteBuffer in = ByteBuffer.allocate(rest.length + bytes.length);
            in.put(rest).put(bytes).flip();
            CharBuffer text = CharBuffer.allocate(in.remaining());
            decoder.decode(in, text, false);
            rest = new byte[in.remaining()];
            in.get(rest);
            out.print(text.flip().toString());
            out.flush();
        }
    }
}
