// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rdma4j.testbed.junit.RequiresKernel;
import io.github.rdma4j.testbed.junit.SoftRoce;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the tests of the engine run. */
final class Samples {
    private Samples() {}

    static String guest() {
        return String.valueOf(System.getenv("RDMA4J_GUEST"));
    }

    /** Runs until its JVM ends. */
    @SoftRoce
    static class Endless {
        @Test
        void sleeps() throws InterruptedException {
            System.out.println("ready");
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @SoftRoce
    @DisplayName("a class")
    static class Passing {
        @Test
        @DisplayName("one test")
        @Tag("quick")
        void passes(TestInfo info) {
            assertEquals("1", guest());
            assertEquals("one test", info.getDisplayName());
        }

        @Test
        @Tag("slow")
        void another() {
            assertEquals("1", guest());
        }
    }

    /** Waits for a class that runs at the same time in another JVM. */
    @SoftRoce
    abstract static class Meeting {
        /** The system property that names an empty directory. */
        static final String PLACE = "rdma4j.samples.meeting";

        @Test
        @Timeout(60)
        void meetsTheOther() throws IOException, InterruptedException {
            Path place = Path.of(System.getProperty(PLACE));
            Files.createFile(
                    place.resolve(String.valueOf(ProcessHandle.current().pid())));
            while (filesIn(place) < 2) {
                Thread.sleep(10);
            }
        }

        private static long filesIn(Path place) throws IOException {
            try (Stream<Path> files = Files.list(place)) {
                return files.count();
            }
        }
    }

    static class MeetingHere extends Meeting {}

    static class MeetingThere extends Meeting {}

    @SoftRoce
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Everything {
        @ParameterizedTest(name = "value {0}")
        @ValueSource(ints = {1, 2, 3})
        void parameterised(int value) {
            assertEquals("1", guest());
            assertEquals(value == 2 ? 0 : value, value);
        }

        @RepeatedTest(2)
        void repeated() {
            assertEquals("1", guest());
        }

        @TestFactory
        Stream<DynamicTest> dynamic() {
            return Stream.of("a", "b")
                    .map(name -> DynamicTest.dynamicTest("dynamic " + name, () -> {
                        assertEquals("1", guest());
                    }));
        }

        @Test
        @Disabled("for a reason")
        void disabled() {
            fail("runs");
        }

        @Test
        void assumes() {
            assumeTrue(false, "not today");
        }

        @Test
        void reports(TestReporter reporter) {
            reporter.publishEntry("key", "value");
            System.out.println("to standard output: ä€");
            System.err.println("to standard error");
        }

        @Test
        @Timeout(1)
        void slow() throws InterruptedException {
            Thread.sleep(Duration.ofMinutes(5).toMillis());
        }

        @Nested
        @TestInstance(TestInstance.Lifecycle.PER_CLASS)
        class Inner {
            private int ran;

            @Test
            void first() {
                assertEquals(1, ++ran + (ran == 2 ? -1 : 0));
            }

            @Test
            void second() {
                ran++;
                assertEquals("1", guest());
            }
        }
    }

    @SoftRoce
    static class Failing {
        /** Not serializable: it has a thread. */
        @SuppressWarnings("serial")
        static final class Stubborn extends RuntimeException {
            private static final long serialVersionUID = 1L;

            private final Thread thread = Thread.currentThread();

            Stubborn(String message, Throwable cause) {
                super(message, cause);
            }

            Thread thread() {
                return thread;
            }
        }

        @Test
        void compares() {
            assertEquals("left", "right", "words");
        }

        @Test
        void throwsStubborn() {
            Stubborn stubborn = new Stubborn("no way", new IllegalStateException("because"));
            stubborn.addSuppressed(new IllegalArgumentException("besides"));
            throw stubborn;
        }

        @Test
        void throwsSerializable() throws java.io.IOException {
            throw new java.io.IOException("a real one");
        }
    }

    static class Mixed {
        @Test
        void local() {
            assertEquals("null", guest());
        }

        @Test
        @SoftRoce
        void remote() {
            assertEquals("1", guest());
        }

        @Test
        @SoftRoce(memory = 512)
        void elsewhere() {
            assertEquals("1", guest());
        }
    }

    static class Inheriting extends Passing {}

    @SoftRoce
    @Retention(RetentionPolicy.RUNTIME)
    @interface Own {}

    @Own
    static class MetaAnnotated {
        @Test
        void remote() {
            assertEquals("1", guest());
        }
    }

    @SoftRoce
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Deadly {
        @Test
        void a() {}

        @Test
        void b() {
            Runtime.getRuntime().halt(7);
        }

        @Test
        void c() {}

        @ParameterizedTest(name = "d {0}")
        @ValueSource(ints = {1, 2, 3})
        void d(int value) {
            if (value == 2) {
                Runtime.getRuntime().halt(8);
            }
        }

        @Test
        void e() {}
    }

    @SoftRoce
    static class DeadlySetUp {
        @BeforeAll
        static void setUp() {
            Runtime.getRuntime().halt(9);
        }

        @Test
        void never() {}
    }

    @SoftRoce
    static class Kernels {
        @Test
        @RequiresKernel("99.1")
        void future() {
            fail("runs");
        }

        @Test
        @RequiresKernel("3.0")
        void past() {}

        @Test
        @RequiresKernel("3.0")
        void evades() {
            assumeTrue(false, "I would rather not");
        }

        @Test
        @RequiresKernel("3.0")
        @org.junit.jupiter.api.condition.EnabledIfSystemProperty(named = "no.such.property", matches = "x")
        void conditional() {}

        @Test
        @RequiresKernel("3.0")
        @Disabled("known")
        void disabled() {}
    }

    /** Tells the caller about its JVM. */
    @SoftRoce
    static class Property {
        static final String NAME = "rdma4j.samples.property";

        @Test
        void tells(TestReporter reporter) {
            reporter.publishEntry(Map.of(
                    NAME,
                    String.valueOf(System.getProperty(NAME)),
                    "class path",
                    System.getProperty("java.class.path")));
        }
    }

    @SoftRoce
    static class Noisy {
        @Test
        void writesToDescriptors() throws java.io.IOException, InterruptedException {
            new ProcessBuilder("sh", "-c", "echo from a child; echo error of a child >&2; cat")
                    .inheritIO()
                    .start()
                    .waitFor();
            try (var raw = new java.io.FileOutputStream(java.io.FileDescriptor.out)) {
                raw.write("raw bytes\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }
    }
}
