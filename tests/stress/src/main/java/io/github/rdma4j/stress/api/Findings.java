// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Executable;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** The number of calls by outcome, and the unexpected outcomes: each kind once, with its first stack trace. */
final class Findings {
    private static final int ARGUMENTS = 300;

    private final Map<String, String> found = new ConcurrentSkipListMap<>();
    private final LongAdder returned = new LongAdder();
    private final LongAdder refused = new LongAdder();

    void returned() {
        returned.increment();
    }

    void refused() {
        refused.increment();
    }

    void unexpected(Executable method, String arguments, Throwable thrown) {
        String kind = method.getDeclaringClass().getSimpleName() + "." + method.getName() + ": "
                + thrown.getClass().getName();
        String given = arguments.length() > ARGUMENTS ? arguments.substring(0, ARGUMENTS) + "…" : arguments;
        add(kind, method + " with " + given + "\n" + trace(thrown));
    }

    void add(String kind, String text) {
        found.putIfAbsent(kind, text);
    }

    /** Closes the object if it can be closed. The exceptions that close() declares are no findings. */
    static void close(Object object, Findings findings) {
        if (object instanceof KernelFd.Hold hold) {
            hold.release();
        } else if (object instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (RdmaException | IllegalStateException refused) {
                findings.refused();
            } catch (Exception | AssertionError e) {
                findings.add(
                        "close of " + object.getClass().getSimpleName() + ": "
                                + e.getClass().getName(),
                        trace(e));
            }
        }
    }

    static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    Collection<String> all() {
        return found.entrySet().stream()
                .map(e -> e.getKey() + "\n" + e.getValue())
                .toList();
    }

    String summary() {
        return returned.sum() + " returned, " + refused.sum() + " were refused as documented, " + found.size()
                + " kinds of findings";
    }
}
