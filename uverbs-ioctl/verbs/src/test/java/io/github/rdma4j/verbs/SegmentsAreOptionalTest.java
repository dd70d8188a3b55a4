// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs on JDK 17, which has no segments, beside programs that register segments. {@code SegmentMemoryTest} lies in
 * {@code src/test/java22}, which only a JDK 22 compiles.
 */
class SegmentsAreOptionalTest {
    private static final String SEGMENT_MEMORY = "io.github.rdma4j.verbs.SegmentMemory";

    @Test
    void theClassIsForEveryJdkFrom17() throws Exception {
        try (InputStream file = ProtectionDomain.class.getResourceAsStream("SegmentMemory.class");
                DataInputStream words = new DataInputStream(file)) {
            words.skipNBytes(6);
            assertThat(words.readUnsignedShort())
                    .as("the version of the class file")
                    .isEqualTo(61);
        }
        assertThat(Class.forName(SEGMENT_MEMORY).getName()).isEqualTo(SEGMENT_MEMORY);
    }

    /** Mocking, proxies and scanners ask for all methods of a class, and JDK 17 cannot answer for a method with a segment. */
    @ParameterizedTest
    @ValueSource(
            classes = {ProtectionDomain.class, MemoryRegion.class, SendWorkRequest.class, ReceiveWorkRequest.class})
    void noOtherClassHasMethodsWithSegments(Class<?> type) {
        assertThat(type.getMethods())
                .isNotEmpty()
                .noneMatch(method -> method.toString().contains("MemorySegment"));
    }

    @Test
    @EnabledForJreRange(
            min = JRE.JAVA_22,
            disabledReason = "the tests of segments need a JDK 22 to be compiled and run")
    void theTestsOfSegmentsAreCompiled() throws Exception {
        assertThat(Class.forName("io.github.rdma4j.verbs.SegmentMemoryTest")).isNotNull();
    }
}
