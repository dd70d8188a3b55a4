// SPDX-License-Identifier: Apache-2.0
/** Small complete programs, one for each way to use the libraries; the Javadoc and the README quote them. */
@NullMarked
package io.github.rdma4j.examples;

import org.jspecify.annotations.NullMarked;
