// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the connection manager on the model and on Linux. Each class {@code …Scenarios} runs in {@code
 * ScenariosModelTest} on any machine, and in {@code ScenariosKernelIT} in a guest, where Linux confirms the behaviour
 * of the model; most run in {@code ScenariosIbIT} on InfiniBand, too. Other tests run on the model only, because they
 * need its errors, pauses and orders of events.
 */
@NullMarked
package io.github.rdma4j.testkit.cm;

import org.jspecify.annotations.NullMarked;
