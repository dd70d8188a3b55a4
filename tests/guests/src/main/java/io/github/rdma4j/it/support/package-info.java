// SPDX-License-Identifier: Apache-2.0
/** What the tests on a device share, and what those of other packages use: programs, ends of connections, conditions. */
@NullMarked
package io.github.rdma4j.it.support;

import org.jspecify.annotations.NullMarked;
