// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import jnr.ffi.LibraryLoader;

/**
 * A program whose calls {@code counting.c} counts: makes each operation many times, and prints what one of them costs.
 * Arguments: the library, a file for its counts, the address of the device, the operations.
 */
final class CountedOperations {
    private static final int WARM_UP = 20;
    private static final int COUNTED = 100;
    private static final int COLUMNS = 3;

    private final Library library;
    private final String file;

    private CountedOperations(Library library, String file) {
        this.library = library;
        this.file = file;
    }

    /** The functions of {@code counting.c}; public for JNR. */
    public interface Library {
        void counting_reset();

        void counting_write(String path);
    }

    /** Something that is made many times; closing it ends what the operations share. */
    interface Operation extends AutoCloseable {
        void once() throws Exception;

        @Override
        void close() throws IOException;
    }

    public static void main(String... arguments) throws Exception {
        Library library = LibraryLoader.create(Library.class).load(arguments[0]);
        CountedOperations counted = new CountedOperations(library, arguments[1]);
        for (int i = COLUMNS; i < arguments.length; i++) {
            try (Operation operation = Operations.valueOf(arguments[i]).open(arguments[2])) {
                counted.measure(arguments[i], operation);
            }
        }
    }

    private void measure(String name, Operation operation) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        count(threads, operation, WARM_UP);
        long allocated = count(threads, operation, COUNTED);
        Map<String, Long> calls = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of(file))) {
            String[] columns = line.split("\t", -1);
            if (isOurs(columns[0])) {
                calls.merge(columns[1], Long.parseLong(columns[2]), Long::sum);
            }
        }
        calls.forEach((call, count) -> print(name, call, count));
        print(name, "bytes", allocated);
    }

    /** Returns how many bytes this thread has allocated; the calls are in the file. */
    private long count(ThreadMXBean threads, Operation operation, int times) throws Exception {
        long before = threads.getCurrentThreadAllocatedBytes();
        library.counting_reset();
        for (int i = 0; i < times; i++) {
            operation.once();
        }
        library.counting_write(file);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** The main thread, whose name in the kernel is that of the program, and the event loops. */
    private static boolean isOurs(String thread) {
        return thread.equals("java") || thread.startsWith("loop");
    }

    private static void print(String name, String call, long count) {
        System.out.println(name + "\t" + call + "\t" + (double) count / COUNTED);
    }
}
