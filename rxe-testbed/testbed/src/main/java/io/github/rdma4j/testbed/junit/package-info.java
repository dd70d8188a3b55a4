// SPDX-License-Identifier: Apache-2.0
/**
 * Runs JUnit tests on an RDMA device. A class or a method with {@link SoftRoce} runs in a guest kernel with soft-RoCE.
 * Its results, output and failures arrive as if the test had run locally. JUnit 5.10 or later must be on the class
 * path.
 *
 * <pre>{@code
 * @SoftRoce
 * class TransferTest {
 *     @Test
 *     void theDeviceIsThere() throws IOException {
 *         try (var devices = Files.list(Path.of("/sys/class/infiniband"))) {
 *             assertEquals(1, devices.count());
 *         }
 *     }
 * }
 * }</pre>
 */
@NullMarked
package io.github.rdma4j.testbed.junit;

import org.jspecify.annotations.NullMarked;
