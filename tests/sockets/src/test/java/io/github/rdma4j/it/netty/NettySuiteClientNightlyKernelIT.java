// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Nightly;

/** The tests of {@link NettySuiteClientKernelIT} with all allocators. */
@Nightly
@RequiresKernel
@NettySuite
class NettySuiteClientNightlyKernelIT extends NettySuiteClientKernelIT {}
