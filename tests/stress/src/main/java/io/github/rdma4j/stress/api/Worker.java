// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A thread that calls. */
final class Worker extends Thread {
    /** Mutable and for one thread at a time, by their documentation; builders are too. */
    private static final Set<String> FOR_ONE_THREAD =
            Set.of("SendWorkRequest", "ReceiveWorkRequest", "WorkCompletion", "FirstFailure", "Builder", "Releasing");

    /** Of so many calls one makes new objects of the bed. */
    private static final int MAKING = 300;

    private final List<Executable> methods;
    private final Bed bed;
    private final Random random;
    private final Pool shared;
    private final Pool own = new Pool();
    private final Values values;
    private final Findings findings;
    private final BooleanSupplier goOn;

    /** The call under way, for the watchdog; empty between calls. */
    private volatile String call = "";

    private volatile long since = System.nanoTime();
    private final AtomicLong calls = new AtomicLong();

    Worker(Bed bed, Pool shared, Findings findings, Random random, BooleanSupplier goOn) {
        super("stress-api");
        setDaemon(true);
        this.methods = PublicMethods.all(bed.leftOut());
        this.bed = bed;
        this.shared = shared;
        this.findings = findings;
        this.random = random;
        this.goOn = goOn;
        this.values = new Values(random, bed, shared, own);
    }

    String call() {
        return call;
    }

    long since() {
        return since;
    }

    long calls() {
        return calls.get();
    }

    @Override
    public void run() {
        try {
            callUntilTheEnd();
        } catch (Throwable e) {
            findings.add("the thread of the stress ended by " + e.getClass().getName(), Findings.trace(e));
        }
    }

    private void callUntilTheEnd() {
        while (goOn.getAsBoolean()) {
            if (random.nextInt(MAKING) == 0 || calls.get() == 0) {
                make();
            }
            callOne(methods.get(random.nextInt(methods.size())));
            Thread.interrupted();
        }
        own.takeAll().forEach(this::retire);
    }

    private void make() {
        begin("making objects");
        try {
            bed.make().forEach(this::keep);
        } catch (Exception refused) {
            // Interrupted, or what it needs is closed at the moment.
            findings.refused();
        } finally {
            call = "";
        }
    }

    private void begin(String what) {
        since = System.nanoTime();
        call = what;
    }

    private void callOne(Executable method) {
        boolean needsReceiver = method instanceof Method && !Modifier.isStatic(method.getModifiers());
        @Nullable Object receiver = needsReceiver ? values.receiver(method.getDeclaringClass()) : null;
        if (needsReceiver && receiver == null) {
            return;
        }
        Values.Arguments arguments = values.arguments(method);
        begin(method.toString());
        try {
            keep(
                    method instanceof Method called
                            ? called.invoke(receiver, arguments.values())
                            : ((Constructor<?>) method).newInstance(arguments.values()));
            findings.returned();
        } catch (InvocationTargetException e) {
            judge(method, arguments, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(method.toString(), e);
        } finally {
            call = "";
            calls.incrementAndGet();
        }
    }

    private void judge(Executable method, Values.Arguments arguments, @Nullable Throwable thrown) {
        if (thrown != null && !Allowed.mayThrow(method, arguments, thrown)) {
            findings.unexpected(method, Arrays.deepToString(arguments.values()), thrown);
        } else {
            findings.refused();
        }
    }

    private void keep(@Nullable Object result) {
        if (result instanceof Optional<?> optional) {
            optional.ifPresent(this::keep);
        } else if (result instanceof Collection<?> all) {
            all.stream().limit(3).forEach(this::keep);
        } else if (result instanceof Map<?, ?> map) {
            keep(map.values());
        } else if (result instanceof Object[] array) {
            Arrays.stream(array).limit(3).forEach(this::keep);
        } else if (result instanceof CompletableFuture<?> future) {
            CompletableFuture<?> unused = future.thenAccept(value -> put(shared, value, new Random(System.nanoTime())));
        } else if (result != null && (PublicMethods.isOfApi(result.getClass()) || result instanceof AutoCloseable)) {
            boolean alone = FOR_ONE_THREAD.contains(result.getClass().getSimpleName());
            put(alone ? own : shared, result, random);
        }
    }

    private void put(Pool pool, @Nullable Object object, Random choice) {
        if (object != null && (PublicMethods.isOfApi(object.getClass()) || object instanceof AutoCloseable)) {
            Object gone = pool.put(object, choice);
            if (gone != null) {
                retire(gone);
            }
        }
    }

    private void retire(Object gone) {
        String before = call;
        begin("closing " + gone.getClass().getSimpleName());
        Findings.close(gone, findings);
        begin(before);
    }
}
