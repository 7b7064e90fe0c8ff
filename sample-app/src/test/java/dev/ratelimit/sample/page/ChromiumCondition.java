package dev.ratelimit.sample.page;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips tests where {@link Chromium} is not installed, and says so. An assumption before
 * all tests of a class would not do: Surefire does not count the tests behind it.
 */
final class ChromiumCondition implements ExecutionCondition {

	private static final Log logger = LogFactory.getLog(ChromiumCondition.class);

	private static final String MISSING = "No Chromium found: install Debian's chromium and chromium-driver to test the page";

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		if (Chromium.isInstalled()) {
			return ConditionEvaluationResult.enabled("Chromium found");
		}
		logger.warn(context.getDisplayName() + " is skipped. " + MISSING);
		return ConditionEvaluationResult.disabled(MISSING);
	}

}
