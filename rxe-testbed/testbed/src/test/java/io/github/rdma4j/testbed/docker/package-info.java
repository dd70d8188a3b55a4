// SPDX-License-Identifier: Apache-2.0
/** Tests of what needs no engine. */
@NullMarked
package io.github.rdma4j.testbed.docker;

import org.jspecify.annotations.NullMarked;
